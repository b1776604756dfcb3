"""What members decide about what is kept is a log of its own, which outlives a restored backup."""

from bot.db.migrations import run_script

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Make the log, and the triggers that write into it whatever path a decision takes."""
    run_script("""
    ALTER TABLE installation ADD COLUMN backed_up_at timestamptz;
    COMMENT ON COLUMN installation.backed_up_at IS 'when the last backup was complete; NULL: never';

    CREATE TABLE decisions (
        guild_id    bigint      NOT NULL,
        decision_id bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
        number      bigint      UNIQUE,
        kind        text        NOT NULL,
        made_at     timestamptz NOT NULL DEFAULT now(),
        user_hash   bytea,
        ids         bigint[]    NOT NULL DEFAULT '{}',
        details     jsonb       NOT NULL DEFAULT '{}',
        pending     boolean     NOT NULL DEFAULT false,
        PRIMARY KEY (guild_id, decision_id)
    );
    COMMENT ON TABLE decisions IS 'what was decided about what is kept, in order and without texts: a restored backup obeys it';
    COMMENT ON COLUMN decisions.number IS 'the place among all, without gaps; given at commit; NULL again for what waits when all before it has gone';
    COMMENT ON COLUMN decisions.made_at IS 'the same for all of one transaction';
    COMMENT ON COLUMN decisions.ids IS 'of messages, facts, sources of facts, or episodes, by the kind';
    COMMENT ON COLUMN decisions.pending IS 'whether it was restored, and waits until its member is known';
    CREATE INDEX decisions_pending ON decisions (guild_id, user_hash) WHERE pending;

    -- The lock is taken when nothing else is left to wait for, and held until the commit is seen by others: whoever
    -- has read up to a number will never see a lower one appear.
    CREATE FUNCTION number_decision() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        PERFORM pg_advisory_xact_lock(1684366185);
        UPDATE decisions SET number = (SELECT coalesce(max(number), 0) + 1 FROM decisions)
        WHERE guild_id = NEW.guild_id AND decision_id = NEW.decision_id AND number IS NULL;
        RETURN NULL;
    END
    $body$;
    CREATE CONSTRAINT TRIGGER decided_number AFTER INSERT ON decisions
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_decision();

    -- Triggers that write decisions are named decided_...: a restore switches these off, and no others.
    CREATE FUNCTION decide_messages() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        INSERT INTO decisions (guild_id, kind, ids, details)
        SELECT n.guild_id, 'message', array_agg(n.message_id ORDER BY n.message_id), jsonb_build_object(
            'reason', n.withheld, 'channel_id', n.channel_id, 'audience', n.audience
        )
        FROM rows_after n JOIN rows_before b USING (guild_id, message_id)
        WHERE b.withheld IS NULL AND n.withheld IS NOT NULL
        GROUP BY n.guild_id, n.withheld, n.channel_id, n.audience ORDER BY n.guild_id, n.channel_id;
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER decided_messages AFTER UPDATE ON chat_history
        REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after
        FOR EACH STATEMENT EXECUTE FUNCTION decide_messages();

    -- The kind, and the column of the id, are arguments.
    CREATE FUNCTION decide_id() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        INSERT INTO decisions (guild_id, kind, ids)
        VALUES (NEW.guild_id, TG_ARGV[0], ARRAY[(to_jsonb(NEW) ->> TG_ARGV[1])::bigint]);
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER decided_fact AFTER UPDATE OF status ON facts FOR EACH ROW
        WHEN (NEW.status = 'forgotten' AND OLD.status <> 'forgotten')
        EXECUTE FUNCTION decide_id('fact', 'fact_id');
    CREATE TRIGGER decided_source AFTER UPDATE OF content ON fact_sources FOR EACH ROW
        WHEN (NEW.content = '' AND OLD.content <> '')
        EXECUTE FUNCTION decide_id('source', 'source_id');
    CREATE TRIGGER decided_answer AFTER UPDATE OF parts ON answers FOR EACH ROW
        WHEN (cardinality(NEW.parts) = 0 AND cardinality(OLD.parts) > 0)
        EXECUTE FUNCTION decide_id('answer', 'message_id');

    CREATE FUNCTION decide_tombstone() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE
        stone tombstones := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    BEGIN
        INSERT INTO decisions (guild_id, kind, details)
        VALUES (stone.guild_id, CASE TG_OP WHEN 'DELETE' THEN 'lifted' ELSE 'tombstone' END, jsonb_build_object(
            'subject', encode(stone.subject_hash, 'hex'), 'key', encode(stone.key_hash, 'hex'),
            'stems', ARRAY(SELECT encode(stem, 'hex') FROM unnest(stone.stem_hashes) AS stem),
            'buried_at', stone.buried_at
        ));
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER decided_tombstone AFTER INSERT OR DELETE ON tombstones
        FOR EACH ROW EXECUTE FUNCTION decide_tombstone();

    -- The kind, and the columns that are noted, are arguments; of whom the row is, it says by id or by hash.
    CREATE FUNCTION decide_row() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE
        said jsonb := to_jsonb(NEW);
    BEGIN
        INSERT INTO decisions (guild_id, kind, user_hash, details)
        SELECT NEW.guild_id, TG_ARGV[0],
               CASE WHEN said ? 'user_id' THEN user_hash(NEW.guild_id, (said ->> 'user_id')::bigint)
                    ELSE (said ->> 'user_hash')::bytea END,
               jsonb_object_agg(key, value)
        FROM jsonb_each(said) WHERE key = ANY(TG_ARGV[1:]);
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER decided_erased AFTER INSERT OR UPDATE ON erased FOR EACH ROW
        EXECUTE FUNCTION decide_row('erased', 'erased_up_to', 'opted_out');
    CREATE TRIGGER decided_absence AFTER INSERT OR UPDATE ON absences FOR EACH ROW
        EXECUTE FUNCTION decide_row('absence', 'from_id', 'to_id');
    CREATE TRIGGER decided_standing_new AFTER INSERT ON members FOR EACH ROW
        WHEN (NEW.opted_out_at IS NOT NULL OR NEW.opted_in_at IS NOT NULL OR NEW.private OR NOT NEW.learning)
        EXECUTE FUNCTION decide_row('standing', 'opted_out_at', 'opted_in_at', 'private', 'learning');
    CREATE TRIGGER decided_standing AFTER UPDATE OF opted_out_at, opted_in_at, private, learning ON members
        FOR EACH ROW WHEN (
            (NEW.opted_out_at, NEW.opted_in_at, NEW.private, NEW.learning)
            IS DISTINCT FROM (OLD.opted_out_at, OLD.opted_in_at, OLD.private, OLD.learning)
        ) EXECUTE FUNCTION decide_row('standing', 'opted_out_at', 'opted_in_at', 'private', 'learning');
    CREATE TRIGGER decided_category AFTER INSERT OR UPDATE ON kept_categories FOR EACH ROW
        EXECUTE FUNCTION decide_row('category', 'category', 'kept', 'days');
    CREATE TRIGGER decided_silence AFTER INSERT OR UPDATE ON unheard FOR EACH ROW
        EXECUTE FUNCTION decide_row('unheard', 'channel_id', 'from_id', 'to_id');
    CREATE TRIGGER decided_channel AFTER UPDATE OF hearing, audience, deleted_at ON channels FOR EACH ROW
        WHEN ((NEW.hearing, NEW.audience, NEW.deleted_at) IS DISTINCT FROM (OLD.hearing, OLD.audience, OLD.deleted_at))
        EXECUTE FUNCTION decide_row('channel', 'channel_id', 'hearing', 'audience', 'deleted_at');
    CREATE TRIGGER decided_guild AFTER UPDATE OF rights, retention_days ON guilds FOR EACH ROW
        WHEN ((NEW.rights, NEW.retention_days) IS DISTINCT FROM (OLD.rights, OLD.retention_days))
        EXECUTE FUNCTION decide_row('guild', 'rights', 'retention_days');

    -- Decisions that were restored of members whom the backup did not know: they hold as soon as these are known.
    CREATE FUNCTION settle_pending() RETURNS trigger LANGUAGE plpgsql AS $body$
    DECLARE
        one record;
    BEGIN
        IF NOT EXISTS (SELECT FROM decisions WHERE pending) THEN
            RETURN NULL;
        END IF;
        FOR one IN
            SELECT d.guild_id, d.decision_id, a.user_id, d.kind, d.details
            FROM rows_added a JOIN decisions d
                ON d.guild_id = a.guild_id AND d.pending AND d.user_hash = user_hash(a.guild_id, a.user_id)
            ORDER BY d.decision_id
        LOOP
            UPDATE decisions SET pending = false WHERE guild_id = one.guild_id AND decision_id = one.decision_id;
            IF one.kind = 'standing' THEN
                UPDATE members m SET opted_out_at = s.opted_out_at, opted_in_at = s.opted_in_at,
                    private = s.private, learning = s.learning
                FROM jsonb_to_record(one.details) AS s (
                    opted_out_at timestamptz, opted_in_at timestamptz, private boolean, learning boolean
                )
                WHERE m.guild_id = one.guild_id AND m.user_id = one.user_id;
            ELSE
                INSERT INTO kept_categories (guild_id, user_id, category, kept, days)
                SELECT one.guild_id, one.user_id, category, kept, days
                FROM jsonb_to_record(one.details) AS c (category text, kept boolean, days integer)
                ON CONFLICT (guild_id, user_id, category) DO UPDATE
                    SET kept = excluded.kept, days = excluded.days;
            END IF;
        END LOOP;
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER pending_settled AFTER INSERT ON members REFERENCING NEW TABLE AS rows_added
        FOR EACH STATEMENT EXECUTE FUNCTION settle_pending();
    """)
