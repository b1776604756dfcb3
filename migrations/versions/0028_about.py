"""A fact is about everyone whom it names: its subject, who told it, members in its words, and names that are nobody's."""

from bot.db.migrations import run_script

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Bring the table, what keeps it true, and the rows for what is known."""
    run_script(_TABLE)
    run_script(_KEPT_TRUE)
    run_script(_KNOWN)


_TABLE = """
    CREATE TABLE fact_about (
        guild_id bigint NOT NULL,
        fact_id  bigint NOT NULL,
        role     text   NOT NULL CHECK (role IN ('subject', 'teller', 'named')),
        user_id  bigint NOT NULL,
        name     text   NOT NULL DEFAULT '',
        PRIMARY KEY (guild_id, fact_id, role, user_id, name),
        CHECK (name = '' OR (user_id = 0 AND role <> 'teller'))
    );
    COMMENT ON TABLE fact_about IS 'whom each fact is about that is not forgotten, who told it, and whom it names';
    COMMENT ON COLUMN fact_about.user_id IS 'the member; 0 with a name: somebody who is no member, without one: the guild';
    COMMENT ON COLUMN fact_about.name IS 'a name that is nobody''s, in the spelling by which names are compared';
    CREATE INDEX fact_about_members ON fact_about (guild_id, user_id, role) WHERE name = '';
    CREATE INDEX fact_about_names ON fact_about (guild_id, name) WHERE name <> '';
"""

# Whoever writes a fact or says it once more, in whatever way, need not know of the table. Names that are nobody's are
# written by who knows them, before these run: a fact about such a name is not about the guild.
_KEPT_TRUE = """
    CREATE FUNCTION named_members(content text) RETURNS SETOF bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
        SELECT DISTINCT found[1]::numeric::bigint
        FROM regexp_matches(content, '<@!?([0-9]{1,19})>', 'g') AS mention (found)
        WHERE found[1]::numeric BETWEEN 1 AND 9223372036854775807
    $body$;
    COMMENT ON FUNCTION named_members IS 'the members whom a text mentions';

    CREATE FUNCTION note_whom_a_fact_names() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        IF TG_OP <> 'INSERT' THEN
            DELETE FROM fact_about
            WHERE guild_id = OLD.guild_id AND fact_id = OLD.fact_id
              AND (TG_OP = 'DELETE' OR NEW.status = 'forgotten' OR (role <> 'teller' AND name = ''));
        END IF;
        IF TG_OP = 'DELETE' OR NEW.status = 'forgotten' THEN
            RETURN NULL;
        END IF;
        INSERT INTO fact_about (guild_id, fact_id, role, user_id)
        SELECT NEW.guild_id, NEW.fact_id, 'subject', NEW.subject_id
        WHERE NEW.subject_id <> 0 OR NOT EXISTS (
            SELECT FROM fact_about
            WHERE guild_id = NEW.guild_id AND fact_id = NEW.fact_id AND role = 'subject' AND name <> ''
        )
        UNION ALL
        SELECT NEW.guild_id, NEW.fact_id, 'named', one
        FROM named_members(NEW.content) AS one WHERE one <> NEW.subject_id
        ON CONFLICT DO NOTHING;
        RETURN NULL;
    END
    $body$;

    CREATE FUNCTION note_who_tells_a_fact() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
        IF TG_OP <> 'INSERT' AND NOT EXISTS (
            SELECT FROM fact_sources
            WHERE guild_id = OLD.guild_id AND fact_id = OLD.fact_id AND author_id = OLD.author_id
        ) THEN
            DELETE FROM fact_about
            WHERE guild_id = OLD.guild_id AND fact_id = OLD.fact_id AND role = 'teller' AND user_id = OLD.author_id;
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.author_id <> 0 THEN
            INSERT INTO fact_about (guild_id, fact_id, role, user_id)
            SELECT guild_id, fact_id, 'teller', NEW.author_id FROM facts
            WHERE guild_id = NEW.guild_id AND fact_id = NEW.fact_id AND status <> 'forgotten'
            ON CONFLICT DO NOTHING;
        END IF;
        RETURN NULL;
    END
    $body$;

    CREATE TRIGGER about_new AFTER INSERT OR DELETE ON facts
        FOR EACH ROW EXECUTE FUNCTION note_whom_a_fact_names();
    CREATE TRIGGER about_changed AFTER UPDATE OF subject_id, content, status ON facts
        FOR EACH ROW WHEN (
            OLD.subject_id <> NEW.subject_id OR OLD.content <> NEW.content
            OR (OLD.status = 'forgotten') <> (NEW.status = 'forgotten')
        ) EXECUTE FUNCTION note_whom_a_fact_names();
    CREATE TRIGGER about_told AFTER INSERT OR DELETE ON fact_sources
        FOR EACH ROW EXECUTE FUNCTION note_who_tells_a_fact();
    CREATE TRIGGER about_told_otherwise AFTER UPDATE OF fact_id, author_id ON fact_sources
        FOR EACH ROW WHEN (OLD.fact_id <> NEW.fact_id OR OLD.author_id <> NEW.author_id)
        EXECUTE FUNCTION note_who_tells_a_fact();
"""

_KNOWN = """
    INSERT INTO fact_about (guild_id, fact_id, role, user_id)
    SELECT guild_id, fact_id, 'subject', subject_id FROM facts WHERE status <> 'forgotten'
    UNION ALL
    SELECT guild_id, fact_id, 'named', one FROM facts, named_members(content) AS one
    WHERE status <> 'forgotten' AND one <> subject_id
    UNION
    SELECT guild_id, fact_id, 'teller', s.author_id FROM facts f JOIN fact_sources s USING (guild_id, fact_id)
    WHERE f.status <> 'forgotten' AND s.author_id <> 0;
"""
