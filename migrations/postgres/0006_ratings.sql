-- The matches that count, in the order in which they were counted.
CREATE TABLE rated_match (
    number bigint PRIMARY KEY,
    match  bigint NOT NULL UNIQUE REFERENCES match (id)
);

-- Matches that have ended and are counted next.  A match gets its number only when nobody else can
-- count: numbers are the order in which ratings were computed.
CREATE TABLE unrated_match (
    match bigint PRIMARY KEY REFERENCES match (id)
);
