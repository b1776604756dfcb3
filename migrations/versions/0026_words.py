"""Words are found whatever signs they stand between: one function says what of a text is looked at."""

from bot.db.migrations import run_script

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    # Where a word ends, the parser of Postgres leaves to the locale of the database: in "C" every letter, sign and
    # blank beyond ASCII is a part of the word that it touches. Such signs become blanks before the parser sees them,
    # by their Unicode category, so that it is the same everywhere. "/" and "~" make paths of words.
    run_script(f"""
    CREATE FUNCTION searchable(said text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE WHEN said COLLATE "C" !~ '[^{_class(_PLAIN)}]' THEN said
               ELSE regexp_replace(
                        CASE WHEN said COLLATE "C" !~ '[{_class(_UNSEEN)}]' THEN said
                        ELSE regexp_replace(normalize(said) COLLATE "C", '[{_class(_UNSEEN)}]', '', 'g') END,
                        '[/~{_class(_SIGNS)}]+', ' ', 'g') END;
    COMMENT ON FUNCTION searchable IS 'a text as its words are looked up: with blanks for signs, without marks upon letters';

    CREATE FUNCTION lexemes_of(config regconfig, said text) RETURNS tsvector
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN to_tsvector(config, searchable(said));
    COMMENT ON FUNCTION lexemes_of(regconfig, text) IS 'the words of any text that is kept or asked for';

    CREATE OR REPLACE FUNCTION lexemes_of(config regconfig, message_text text, attachments text[]) RETURNS tsvector
        LANGUAGE sql STABLE PARALLEL SAFE
        RETURN CASE WHEN attachments = '{{}}' THEN lexemes_of(config, left(message_text, 20000))
               ELSE lexemes_of(config, left(message_text, 20000))
                    || setweight(lexemes_of(config, left(array_to_string(attachments, ' '), 20000)), 'C') END;

    CREATE OR REPLACE FUNCTION name_words(user_name text, display_name text, nickname text, old_names text[])
        RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN lexemes_of('pg_catalog.simple'::regconfig,
            concat_ws(' ', user_name, display_name, nickname, array_to_string(old_names, ' ')));
    """)
    # What is stored already is indexed anew in the background, a batch at a time.
    run_script("""
    INSERT INTO work AS known (guild_id, kind, work_key, due_at)
    SELECT guild_id, 'relex', kept || ':9223372036854775807', clock_timestamp()
    FROM guilds, unnest(ARRAY['messages', 'facts', 'episodes', 'members']) AS kept
    ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
        wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
    """)


def _class(ranges: str) -> str:
    """Return what a regular expression has between brackets for code points such as "ab" and "ab-ff"."""
    return "".join("-".join(f"\\U{int(end, 16):08x}" for end in one.split("-")) for one in ranges.split())


_PLAIN = "1-2e 30-7d 7f aa b5 ba c0-d6 d8-f6 f8-24f 370-373 376-377 37b-37d 386 388-3f5 3f7-481 48a-52f"
"""ASCII but for "/" and "~", and the letters of most of Europe: in nearly all texts there is nothing else."""

_UNSEEN = """
    00ad 0300-036f 0483-0489 061c 180b-180f 1ab0-1aff 1dc0-1dff 200c-200f 202a-202e 2060-206f 20d0-20ff fe00-fe0f
    fe20-fe2f feff 1d165-1d172 e0000-e01ef
"""
"""What has no width, and marks upon letters (of which those that make another letter are composed before)."""

_SIGNS = """
    0080-00a9 00ab-00b4 00b6-00b9 00bb-00bf 00d7 00f7 02bc 02c2-02c5 02d2-02df 02e5-02eb 02ed 02ef-02ff 0375 037e
    0384-0385 0387 03f6 0482 055a-055f 0589-058f 05be 05c0 05c3 05c6 05f3-060f 061b-061f 066a-066d 06d4 06dd-06de
    06e9 06fd-06fe 0700-070f 07f6-07f9 07fe-07ff 0830-083e 085e 0888 0890-0891 08e2 0964-0965 0970 09f2-09fb 09fd
    0a76 0af0-0af1 0b70 0b72-0b77 0bf0-0bfa 0c77-0c7f 0c84 0d4f 0d58-0d5e 0d70-0d79 0df4 0e3f 0e4f 0e5a-0e5b
    0f01-0f17 0f1a-0f1f 0f2a-0f34 0f36 0f38 0f3a-0f3d 0f85 0fbe-0fc5 0fc7-0fda 104a-104f 109e-109f 10fb 1360-137c
    1390-1399 1400 166d-166e 1680 169b-169c 16eb-16ed 1735-1736 17d4-17d6 17d8-17db 17f0-180a 1940-1945 19da-19ff
    1a1e-1a1f 1aa0-1aa6 1aa8-1aad 1b5a-1b6a 1b74-1b7e 1bfc-1bff 1c3b-1c3f 1c7e-1c7f 1cc0-1cc7 1cd3 1fbd 1fbf-1fc1
    1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-2070 2074-207e 2080-208e 20a0-2101 2103-2106 2108-2109 2114 2116-2118
    211e-2123 2125 2127 2129 212e 213a-213b 2140-2144 214a-214d 214f-215f 2189-2bff 2ce5-2cea 2cf9-2cff 2d70
    2e00-2e2e 2e30-3004 3008-3020 3030 3036-3037 303d-303f 309b-309c 30a0 30fb 3190-319f 31c0-31e3 3200-33ff
    4dc0-4dff a490-a4c6 a4fe-a4ff a60d-a60f a673 a67e a6f2-a716 a720-a721 a789-a78a a828-a82b a830-a839 a874-a877
    a8ce-a8cf a8f8-a8fa a8fc a92e-a92f a95f a9c1-a9cd a9de-a9df aa5c-aa5f aa77-aa79 aade-aadf aaf0-aaf1 ab5b
    ab6a-ab6b abeb e000-f8ff fb29 fbb2-fbc2 fd3e-fd4f fdcf fdfc-fe6b ff01-ff0f ff1a-ff20 ff3b-ff40 ff5b-ff65
    ffe0-fffd 10100-1013f 10175-101fc 102e1-102fb 10320-10323 1039f 103d0 1056f 10857-1085f 10877-1087f 108a7-108af
    108fb-108ff 10916-1091f 1093f 109bc-109bd 109c0-109ff 10a40-10a58 10a7d-10a7f 10a9d-10a9f 10ac8 10aeb-10af6
    10b39-10b3f 10b58-10b5f 10b78-10b7f 10b99-10baf 10cfa-10cff 10e60-10e7e 10ead 10f1d-10f26 10f51-10f59
    10f86-10f89 10fc5-10fcb 11047-11065 110bb-110c1 110cd 11140-11143 11174-11175 111c5-111c8 111cd 111db
    111dd-111f4 11238-1123d 112a9 1144b-1144f 1145a-1145d 114c6 115c1-115d7 11641-11643 11660-1166c 116b9
    1173a-1173f 1183b 118ea-118f2 11944-11946 119e2 11a3f-11a46 11a9a-11a9c 11a9e-11aa2 11c41-11c45 11c5a-11c71
    11ef7-11ef8 11fc0-11fff 12470-12474 12ff1-12ff2 13430-13438 16a6e-16a6f 16af5 16b37-16b3f 16b44-16b45
    16b5b-16b61 16e80-16e9a 16fe2 1bc9c 1bc9f-1bca3 1cf50-1d164 1d16a-1d16c 1d173-1d17a 1d183-1d184 1d18c-1d1a9
    1d1ae-1d241 1d245-1d378 1d6c1 1d6db 1d6fb 1d715 1d735 1d74f 1d76f 1d789 1d7a9 1d7c3 1d800-1d9ff 1da37-1da3a
    1da6d-1da74 1da76-1da83 1da85-1da8b 1e14f 1e2ff 1e8c7-1e8cf 1e95e-1ed3d 1eef0-1fbef f0000-10fffd
"""
"""
What is neither a letter, a digit nor a mark: all of P, S, Z, No, Cf, Cc and Co, with what is not assigned between.
02bc is an apostrophe, though Unicode has it as a letter.
"""
