CREATE TABLE pruned (
    match     bigint PRIMARY KEY REFERENCES match (id),
    pruned_at bigint NOT NULL,
    records   bigint NOT NULL,
    turns     bigint NOT NULL
);
