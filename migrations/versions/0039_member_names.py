"""Members are found by the keys of their names, which a guild of any size looks up by index."""

from bot.db.migrations import run_script

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Make the table, what keeps it true, and ask for the keys of who is known."""
    run_script("""
    ALTER TABLE members ADD COLUMN name_keys bigint[];
    -- Who is known has none yet, which tells that their names are still to be indexed.
    ALTER TABLE members ALTER COLUMN name_keys SET DEFAULT '{}';
    COMMENT ON COLUMN members.name_keys IS
        'hashes of all names in the spellings by which they are sought: above 0 of whole names; NULL: to be made';
    CREATE INDEX members_without_keys ON members (guild_id, user_id) WHERE name_keys IS NULL;

    CREATE TABLE member_names (
        guild_id bigint NOT NULL,
        name_key bigint NOT NULL,
        user_id  bigint NOT NULL,
        PRIMARY KEY (guild_id, name_key, user_id)
    );
    COMMENT ON TABLE member_names IS 'who is found by a key, as members.name_keys has it';

    CREATE FUNCTION note_member_names() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        IF TG_OP <> 'INSERT' THEN
            DELETE FROM member_names
            WHERE guild_id = OLD.guild_id AND name_key = ANY(OLD.name_keys) AND user_id = OLD.user_id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            INSERT INTO member_names (guild_id, name_key, user_id)
            SELECT NEW.guild_id, unnest(NEW.name_keys), NEW.user_id
            ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL;
    END
    $body$;
    CREATE TRIGGER names_new AFTER INSERT OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION note_member_names();
    CREATE TRIGGER names_changed AFTER UPDATE OF name_keys ON members FOR EACH ROW
        WHEN (OLD.name_keys IS DISTINCT FROM NEW.name_keys) EXECUTE FUNCTION note_member_names();

    CREATE INDEX facts_naming ON facts (guild_id, fact_id)
        WHERE status = 'active' AND (key = 'name' OR key LIKE 'alias:%');

    INSERT INTO work AS known (guild_id, kind, work_key, due_at)
    SELECT guild_id, 'names', '', clock_timestamp() FROM guilds
    ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
        wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
    """)
