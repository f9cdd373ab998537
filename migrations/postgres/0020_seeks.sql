-- What each player in the queue wants.
ALTER TABLE waiting
    ADD COLUMN rating     integer NOT NULL DEFAULT 1500, -- theirs, when they began to wait
    ADD COLUMN rating_min integer NOT NULL DEFAULT 0,    -- of the others; 0: any
    ADD COLUMN rating_max integer NOT NULL DEFAULT 4000, -- 4000: any
    ADD COLUMN seek       text    NOT NULL DEFAULT '{}'; -- what others are shown: JSON
