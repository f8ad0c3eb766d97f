# SPDX-License-Identifier: GPL-3.0-or-later
# Seeded inputs and what R makes of them, as the JSON files beside this one.
# The tests of src/stats compare with the files and need no R.
# usage: Rscript make.R [DIRECTORY]   (make oracles-r)
set.seed(20240607, kind = "Mersenne-Twister", normal.kind = "Inversion")
ALPHAS <- c(0.05, 0.01)

# ------------------------------------------------------------------- JSON
# Numbers that were rounded first are short and read back as themselves.
rounded <- function(x, digits = 6) as.numeric(sprintf("%.*f", digits, x))

json <- function(x) {
  if (is.list(x) && !is.null(names(x))) {
    members <- paste0('"', names(x), '":', vapply(x, json, ""))
    return(paste0("{", paste(members, collapse = ","), "}"))
  }
  if (is.list(x))
    return(paste0("[", paste(vapply(x, json, ""), collapse = ",\n"), "]"))
  text <- if (is.character(x)) paste0('"', x, '"')
          else if (is.logical(x)) tolower(as.character(x))
          else ifelse(is.na(x), "null", sprintf("%.14g", x))
  if (length(x) == 1 && !inherits(x, "AsIs")) text
  else paste0("[", paste(text, collapse = ","), "]")
}

directory <- c(commandArgs(trailingOnly = TRUE), ".")[1]
write_json <- function(name, x)
  writeLines(json(x), file.path(directory, paste0(name, ".json")))

# ------------------------------------------------------------ distributions
draw <- function(n) switch(sample(4, 1),
  rnorm(n, 0.01, 0.02),
  0.02 * rt(n, 3),
  0.02 * (rlnorm(n, 0, 0.8) - exp(0.32)),
  rnorm(n, -0.02, 0.006) + 0.06 * (runif(n) < 0.1))

# No ties: R leaves its exact test when it sees one.
untied <- function(make, key) {
  repeat {
    x <- make()
    if (!anyDuplicated(key(x)) && all(key(x) != 0)) return(x)
  }
}

# The order statistic that wilcox.test takes for the end of its interval, and
# the confidence that has; it does not give these itself.
walsh_k <- function(n, alpha) max(qsignrank(alpha / 2, n), 1)

signed_rank <- function(d, alpha) {
  n <- length(d)
  # Too few pairs for the level is a warning, and the widest interval.
  test <- suppressWarnings(wilcox.test(d, conf.int = TRUE, exact = TRUE,
                                       conf.level = 1 - alpha))
  list(est = test$estimate, lo = test$conf.int[1], hi = test$conf.int[2],
       conf = 1 - 2 * psignrank(walsh_k(n, alpha) - 1, n), p = test$p.value)
}

student <- function(d, alpha) {
  test <- t.test(d, conf.level = 1 - alpha)
  list(est = test$estimate, lo = test$conf.int[1], hi = test$conf.int[2],
       conf = 1 - alpha, p = test$p.value)
}

one_sided <- function(d, alternative)
  wilcox.test(d, exact = TRUE, alternative = alternative)$p.value

pairs <- lapply(3:40, function(n) {
  d <- untied(function() rounded(draw(n)), abs)
  list(d = I(d),
       v = unname(wilcox.test(d, exact = TRUE)$statistic),
       less = one_sided(d, "less"), greater = one_sided(d, "greater"),
       levels = lapply(ALPHAS, function(alpha)
         list(alpha = alpha, exact = signed_rank(d, alpha),
              t = student(d, alpha))))
})
write_json("pairs", pairs)

# --------------------------------------------- families with Holm, from raw
# METHOD 7.3: exact where n pairs can reach the level at all.
infer <- function(d, comparisons, alpha) {
  n <- length(d)
  by <- function(level) if (2^(1 - n) <= level) signed_rank else student
  ci <- by(alpha)(d, alpha)
  ci$p <- by(alpha / comparisons)(d, alpha)$p
  ci
}

family <- function(n, m, higher) {
  cells <- function()
    rounded(exp(rnorm(1, 6, 1) + matrix(rnorm((m + 1) * n, 0, 0.02), m + 1) +
                matrix(rnorm(n, 0, 0.1), m + 1, n, byrow = TRUE) +
                c(0, rep_len(c(0, 0.03, -0.05), m))), 3)
  differences <- function(x) {
    y <- (if (higher) 1 else -1) * log(matrix(x, m + 1))
    sweep(y[-1, , drop = FALSE], 2, y[1, ])
  }
  x <- untied(cells, function(x) abs(differences(x)))
  d <- differences(x)
  estimates <- lapply(seq_len(m), function(i) infer(d[i, ], m, 0.05))
  p <- vapply(estimates, `[[`, 0, "p")
  list(higher_better = higher,
       values = lapply(seq_len(m + 1), function(i) I(matrix(x, m + 1)[i, ])),
       contrasts = estimates, holm = I(p.adjust(p, "holm")))
}

shapes <- rbind(c(3, 1), c(3, 3), c(4, 5), c(5, 20), c(6, 1), c(6, 2), c(7, 2),
                c(8, 4), c(8, 5), c(9, 10), c(10, 20), c(11, 7), c(12, 8),
                c(16, 12), c(20, 1), c(24, 3), c(32, 6), c(40, 2))
write_json("families", lapply(seq_len(nrow(shapes)), function(i)
  family(shapes[i, 1], shapes[i, 2], i %% 2 == 0)))

# Holm alone: ties, ones, zeros and what was not tested.
write_json("holm", lapply(1:30, function(i) {
  p <- rounded(runif(sample(20, 1))^sample(4, 1), sample(1:4, 1))
  p[runif(length(p)) < 0.15] <- NA
  list(p = I(p), adjusted = I(p.adjust(p, "holm")))
}))

# ------------------------------------------------------------- two samples
groups <- function(m, n) {
  both <- untied(function() rounded(draw(m + n) + rep(c(0.02, 0), c(m, n))),
                 function(z) outer(z[seq_len(m)], z[-seq_len(m)], "-"))
  x <- both[seq_len(m)]
  y <- both[-seq_len(m)]
  levels <- lapply(ALPHAS, function(alpha) {
    test <- suppressWarnings(wilcox.test(x, y, conf.int = TRUE, exact = TRUE,
                                         conf.level = 1 - alpha))
    k <- max(qwilcox(alpha / 2, m, n), 1)
    # P(U < k) of exactly alpha / 2 is where R and METHOD 7.8 part.
    stopifnot(abs(pwilcox(0:(m * n), m, n) - alpha / 2) > 1e-12)
    list(alpha = alpha, u = test$statistic, p = test$p.value,
         est = test$estimate, lo = test$conf.int[1], hi = test$conf.int[2],
         conf = max(0, 1 - 2 * pwilcox(k - 1, m, n)))
  })
  list(x = I(x), y = I(y), levels = levels)
}
sizes <- rbind(c(1, 1), c(1, 12), c(2, 3), c(3, 3), c(4, 3), c(5, 5), c(3, 9),
               c(6, 8), c(8, 8), c(9, 9), c(12, 7), c(10, 24), c(16, 16),
               c(25, 13), c(32, 32), c(40, 49))
write_json("groups", lapply(seq_len(nrow(sizes)), function(i)
  groups(sizes[i, 1], sizes[i, 2])))

# ----------------------------------------------------------------- medians
write_json("medians", lapply(3:40, function(n) {
  x <- sort(rounded(exp(rnorm(n, 3, 0.1)), 3))
  list(x = I(sample(x)), median = median(x), levels = lapply(ALPHAS,
    function(alpha) {
      k <- max(qbinom(alpha / 2, n, 0.5), 1)
      list(alpha = alpha, lo = x[k], hi = x[n + 1 - k],
           conf = 1 - 2 * pbinom(k - 1, n, 0.5))
    }))
}))

# ------------------------------------------------------------------ tables
spread <- function(top) unique(round(seq(0, top, length.out = 9)))
signrank <- lapply(c(3:16, 20, 24, 32, 40, 50, 64), function(n) {
  q <- spread(n * (n + 1) / 2)
  list(n = n, q = I(q), p = I(psignrank(q, n)),
       k = I(vapply(ALPHAS, function(alpha) qsignrank(alpha / 2, n), 0)))
})
ranksum <- lapply(list(c(1, 1), c(2, 7), c(3, 3), c(5, 4), c(8, 8), c(10, 20),
                       c(16, 16), c(20, 30), c(32, 32), c(40, 12)),
                  function(s) {
  q <- spread(s[1] * s[2])
  list(m = s[1], n = s[2], q = I(q), p = I(pwilcox(q, s[1], s[2])))
})
write_json("tables", list(alphas = I(ALPHAS), signrank = signrank,
                          ranksum = ranksum))

# ----------------------------------------------------- unbalanced designs
treatment <- function(levels) {
  cells <- expand.grid(lapply(rev(levels), function(l) factor(seq_len(l))))
  cells <- cells[, rev(seq_along(levels)), drop = FALSE]
  names(cells) <- LETTERS[seq_along(levels)]
  cells
}

# Term by term: can these cells tell it from the others at all?
estimable <- function(x) {
  s <- svd(x)
  basis <- s$v[, s$d > 1e-9 * s$d[1], drop = FALSE]
  colSums((diag(ncol(x)) - basis %*% t(basis))^2) < 1e-18
}

# The largest bias of each term from any product of two settings.
aliases <- function(x, setting) {
  worst <- rep(0, ncol(x))
  for (i in seq_len(ncol(x))[-1]) for (j in seq_len(i - 1)[-1]) {
    product <- x[, i] * x[, j]
    if (setting[i] == setting[j] || !any(product != 0)) next
    worst <- pmax(worst, abs(lm.fit(x, product)$coefficients))
  }
  worst
}

design <- function() {
  levels <- sample(2:4, sample(2:4, 1), replace = TRUE)
  cells <- treatment(levels)
  terms <- 1 + sum(levels - 1)
  # Sometimes too few: some terms are then not estimable.
  count <- min(nrow(cells), max(3, terms + sample(-3:8, 1)))
  cells <- cells[c(1, 1 + sample(nrow(cells) - 1, count - 1)), , drop = FALSE]
  x <- model.matrix(~ ., cells)
  setting <- attr(x, "assign")
  y <- rounded(rnorm(count, 7, 0.3))
  ok <- estimable(x)
  beta <- lm.fit(x, y)$coefficients
  beta[!ok] <- NA
  list(setting = I(setting),
       x = lapply(seq_len(count), function(i) paste(x[i, ], collapse = "")),
       y = I(y), rank = qr(x)$rank, estimable = I(ok), beta = I(beta),
       alias = if (all(ok)) I(aliases(x, setting)) else I(numeric(0)))
}
write_json("designs", lapply(1:60, function(i) design()))

# -------------------------------------------------------- balanced designs
shares <- function(levels) {
  cells <- treatment(levels)
  y <- rounded(rnorm(nrow(cells), 7, 0.3))
  # One value a cell leaves nothing over, which anova() warns of.
  table <- suppressWarnings(anova(lm(
    as.formula(paste("y ~", paste(names(cells), collapse = " * "))), cells)))
  ss <- table[rownames(table) != "Residuals", "Sum Sq"]
  terms <- strsplit(setdiff(rownames(table), "Residuals"), ":")
  set <- vapply(terms, function(t) sum(2^(match(t, LETTERS) - 1)), 0)
  result <- rep(0, 2^length(levels))
  result[set + 1] <- ss / sum(ss)
  list(levels = I(levels), means = I(y), shares = I(result))
}
write_json("shares", lapply(list(2, 5, c(2, 2), c(3, 4), c(5, 2), c(2, 2, 2),
  c(3, 2, 4), c(4, 3, 2), c(2, 2, 2, 2), c(3, 2, 2, 3), c(2, 3, 2, 2, 2)),
  shares))

# ------------------------------------------------------------------ trends
pettitt <- function(y) {
  n <- length(y)
  s <- sign(outer(y, y, "-"))
  u <- vapply(seq_len(n - 1), function(t) sum(s[1:t, (t + 1):n]), 0)
  at <- which.max(abs(u))
  list(u = u[at], at = at, p = min(1, 2 * exp(-6 * u[at]^2 / (n^3 + n^2))),
       shift = median(y[(at + 1):n]) - median(y[1:at]))
}

trend <- function(n) {
  x <- rounded(cumsum(runif(n, 5, 15)), 3)
  y <- untied(function() rounded(draw(n) + sample(c(0, 2e-3), 1) * seq_len(n)),
              identity)
  # exact = FALSE is the normal approximation of METHOD 7.9.
  kendall <- cor.test(x, y, method = "kendall", exact = FALSE,
                      continuity = TRUE)
  upper <- upper.tri(diag(n))
  slopes <- outer(y, y, "-")[upper] / outer(x, x, "-")[upper]
  list(x = I(x), y = I(y), z = kendall$statistic, p = kendall$p.value,
       theil_sen = median(slopes), pettitt = pettitt(y))
}
write_json("trends", lapply(c(3:8, 10, 12, 16, 20, 24, 32, 40), trend))
