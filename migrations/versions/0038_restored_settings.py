"""Decisions on guilds and channels that a restored backup does not know wait until these are taken up."""

from bot.db.migrations import run_script

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    run_script("""
    -- The kind of the decisions is the argument. Settings of a guild, and whether a channel is heard, are what is decided
    -- there; whom a channel is open to is known where it is taken up.
    CREATE FUNCTION settle_place() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE
        one record;
    BEGIN
        FOR one IN
            SELECT decision_id, details FROM decisions
            WHERE guild_id = NEW.guild_id AND pending AND kind = TG_ARGV[0]
              AND details ->> 'channel_id' IS NOT DISTINCT FROM to_jsonb(NEW) ->> 'channel_id'
            ORDER BY decision_id
        LOOP
            UPDATE decisions SET pending = false WHERE guild_id = NEW.guild_id AND decision_id = one.decision_id;
            IF TG_ARGV[0] = 'guild' THEN
                UPDATE guilds SET rights = one.details -> 'rights',
                    retention_days = (one.details ->> 'retention_days')::integer
                WHERE guild_id = NEW.guild_id;
            ELSE
                UPDATE channels SET hearing = (one.details ->> 'hearing')::boolean
                WHERE guild_id = NEW.guild_id AND channel_id = (one.details ->> 'channel_id')::bigint;
            END IF;
        END LOOP;
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER pending_guild_settled AFTER INSERT ON guilds
        FOR EACH ROW EXECUTE FUNCTION settle_place('guild');
    CREATE TRIGGER pending_channel_settled AFTER INSERT ON channels
        FOR EACH ROW EXECUTE FUNCTION settle_place('channel');
    """)
