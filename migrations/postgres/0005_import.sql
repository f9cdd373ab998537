CREATE TABLE origin (
    match       bigint PRIMARY KEY REFERENCES match (id),
    number      bigint NOT NULL CHECK (number >= 1),
    imported_at bigint NOT NULL
);

CREATE INDEX origin_number ON origin (number);
