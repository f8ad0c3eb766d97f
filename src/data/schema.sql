-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- results.db: everything about one sweep.  It is a plain SQLite file, meant
-- to be opened with sqlite3(1) too: begin with the views (v_...).
--
-- Times are nanoseconds of the host's CLOCK_MONOTONIC_RAW unless the name
-- says otherwise; NULL is "never reached" or "not known".  application_id and
-- user_version are set by src/data/store.c.

-- Facts of the sweep: matrix.text, seed, accel, host.*, versions ...
CREATE TABLE fact (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The sweep's own time by part, in addition to that of its attempts.
CREATE TABLE time (
    part TEXT PRIMARY KEY,
    ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Long texts (domain XML, argv, console) once each: cells of a sweep differ
-- in a line or two and repeats not at all, so most attempts bring no new text
-- and the file stays small.  The digest finds a text again without an index
-- over whole texts.
CREATE TABLE text (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
) STRICT;

-- ------------------------------------------------------------- the design

CREATE TABLE factor (
    id INTEGER PRIMARY KEY, -- rises in the order of the matrix
    setting TEXT NOT NULL UNIQUE,
    baseline INTEGER NOT NULL -- ord of its baseline level
) STRICT;

CREATE TABLE factor_level (
    factor INTEGER NOT NULL REFERENCES factor (id),
    ord INTEGER NOT NULL,
    level TEXT NOT NULL,
    PRIMARY KEY (factor, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE cell (
    id INTEGER PRIMARY KEY, -- index in the design, from 0
    name TEXT NOT NULL,
    kind TEXT NOT NULL,  -- cell, aa, host, host-matched
    state TEXT NOT NULL, -- planned, excluded, unsupported ...
    why TEXT,            -- of a state other than planned
    baseline INTEGER NOT NULL CHECK (baseline IN (0, 1))
) STRICT;

CREATE TABLE cell_setting (
    cell INTEGER NOT NULL REFERENCES cell (id),
    ord INTEGER NOT NULL,
    setting TEXT NOT NULL,
    level TEXT NOT NULL,
    PRIMARY KEY (cell, ord)
) STRICT, WITHOUT ROWID;

-- ----------------------------------------------------------- the attempts

-- One run of one cell, good or not.
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    block INTEGER NOT NULL CHECK (block >= 0),
    pos INTEGER NOT NULL CHECK (pos >= 0),
    try INTEGER NOT NULL CHECK (try >= 0),
    cell INTEGER NOT NULL REFERENCES cell (id),
    outcome TEXT NOT NULL,
    reason TEXT,    -- why the outcome is not ok
    discarded TEXT, -- why its block does not count (session), else NULL
    started TEXT,   -- wall clock, UTC
    t_begin INTEGER,
    t_create INTEGER, -- domain created, paused
    t_resume INTEGER,
    t_ready INTEGER,
    t_done INTEGER,
    t_gone INTEGER, -- QEMU reaped
    t_end INTEGER,
    -- where the time between t_begin and t_end went
    prepare_ns INTEGER NOT NULL,
    boot_ns INTEGER NOT NULL,
    measure_ns INTEGER NOT NULL,
    stop_ns INTEGER NOT NULL,
    images_ns INTEGER NOT NULL,
    wait_ns INTEGER NOT NULL,
    other_ns INTEGER NOT NULL,
    asked_xml INTEGER REFERENCES text (id), -- as given to libvirt
    live_xml INTEGER REFERENCES text (id),  -- as libvirt completed it
    argv INTEGER REFERENCES text (id),      -- QEMU's command line
    console INTEGER REFERENCES text (id),   -- the end of the serial console
    slot TEXT, -- image file
    slot_generation INTEGER NOT NULL,
    cpu_s REAL, -- QEMU's user and system time
    maxrss_kb INTEGER
) STRICT;
CREATE INDEX attempt_place ON attempt (block, cell);

-- What the guest said about itself (READY and NOTE).
CREATE TABLE attempt_fact (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (attempt, name)
) STRICT, WITHOUT ROWID;

-- One number per attempt and metric.
CREATE TABLE value (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    workload TEXT NOT NULL,
    metric TEXT NOT NULL,
    unit TEXT NOT NULL,
    higher_better INTEGER NOT NULL CHECK (higher_better IN (0, 1)),
    value REAL, -- NULL: no finite number, so never valid
    n INTEGER NOT NULL, -- operations or samples behind it
    valid INTEGER NOT NULL CHECK (valid IN (0, 1)),
    reason TEXT -- why it is not valid
) STRICT;
CREATE INDEX value_attempt ON value (attempt);

-- Latency histograms.  Bins are rows rather than one packed value, so that
-- they can be summed, merged and drawn in SQL; v_hist gives their bounds.
CREATE TABLE hist (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    workload TEXT NOT NULL,
    metric TEXT NOT NULL,
    n INTEGER NOT NULL
) STRICT;
CREATE INDEX hist_attempt ON hist (attempt);

CREATE TABLE hist_bin (
    hist INTEGER NOT NULL REFERENCES hist (id),
    bin INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (hist, bin)
) STRICT, WITHOUT ROWID;

-- Measured windows with the counters of both ends.
CREATE TABLE window (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    workload TEXT NOT NULL,
    phase TEXT NOT NULL,
    seq INTEGER NOT NULL,
    host_t0 INTEGER,
    host_t1 INTEGER,
    guest_t0 INTEGER, -- the guest's CLOCK_MONOTONIC_RAW
    guest_t1 INTEGER,
    ops INTEGER NOT NULL,
    cold INTEGER NOT NULL CHECK (cold IN (0, 1)),
    breach TEXT -- the validity gate that failed
) STRICT;
CREATE INDEX window_attempt ON window (attempt);

CREATE TABLE counter (
    window INTEGER NOT NULL REFERENCES window (id),
    name TEXT NOT NULL,
    before INTEGER, -- NULL: not there at that end
    after INTEGER,
    PRIMARY KEY (window, name)
) STRICT, WITHOUT ROWID;

-- Whether settings took effect: asked for against found.
CREATE TABLE proof (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    setting TEXT NOT NULL,
    source TEXT NOT NULL,
    requested TEXT,
    effective TEXT,
    ok INTEGER NOT NULL CHECK (ok IN (0, 1))
) STRICT;
CREATE INDEX proof_attempt ON proof (attempt);

-- The payload's lines as they came.
CREATE TABLE line (
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    ord INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (attempt, ord)
) STRICT, WITHOUT ROWID;

-- --------------------------------------------------------- for the reader

CREATE VIEW v_attempts AS
SELECT a.id, a.block, a.pos, a.try, c.name AS cell, a.outcome, a.reason,
       a.discarded, a.started,
       round((a.t_ready - a.t_resume) / 1e6, 1) AS boot_ms,
       round((a.t_end - a.t_begin) / 1e9, 3) AS span_s,
       a.cpu_s, a.maxrss_kb
FROM attempt AS a JOIN cell AS c ON c.id = a.cell
ORDER BY a.id;

-- What is analysed: valid means that the attempt is ok and so is the value.
CREATE VIEW v_values AS
SELECT a.block, c.name AS cell, v.workload, v.metric, v.value, v.unit,
       iif(v.higher_better, 'higher', 'lower') AS better, v.n,
       v.valid AND v.value IS NOT NULL AND a.outcome = 'ok' AS valid,
       coalesce(v.reason, a.reason) AS reason, a.id AS attempt
FROM value AS v
JOIN attempt AS a ON a.id = v.attempt
JOIN cell AS c ON c.id = a.cell
WHERE a.discarded IS NULL
ORDER BY v.metric, c.id, a.block, v.id;

-- Bounds of bins (128 per power of two, exact below 256 ns).
CREATE VIEW v_hist AS
SELECT a.block, c.name AS cell, h.workload, h.metric, h.n,
       iif(b.bin < 256, b.bin,
           ((b.bin & 127) + 128) << ((b.bin >> 7) - 1)) AS low_ns,
       iif(b.bin < 255, b.bin + 1,
           (((b.bin + 1) & 127) + 128) << (((b.bin + 1) >> 7) - 1)) - 1
           AS high_ns,
       b.count, a.id AS attempt
FROM hist_bin AS b
JOIN hist AS h ON h.id = b.hist
JOIN attempt AS a ON a.id = h.attempt
JOIN cell AS c ON c.id = a.cell
WHERE a.discarded IS NULL
ORDER BY h.id, b.bin;

CREATE VIEW v_counters AS
SELECT a.id AS attempt, c.name AS cell, w.workload, w.phase, w.seq, n.name,
       n.after - n.before AS delta, w.ops,
       (w.host_t1 - w.host_t0) / 1e9 AS window_s
FROM counter AS n
JOIN window AS w ON w.id = n.window
JOIN attempt AS a ON a.id = w.attempt
JOIN cell AS c ON c.id = a.cell
ORDER BY w.id, n.name;

CREATE VIEW v_texts AS
SELECT a.id AS attempt, c.name AS cell, x.body AS asked_xml,
       l.body AS live_xml, g.body AS argv, o.body AS console
FROM attempt AS a
JOIN cell AS c ON c.id = a.cell
LEFT JOIN text AS x ON x.id = a.asked_xml
LEFT JOIN text AS l ON l.id = a.live_xml
LEFT JOIN text AS g ON g.id = a.argv
LEFT JOIN text AS o ON o.id = a.console
ORDER BY a.id;
