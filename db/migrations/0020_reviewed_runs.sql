-- Texts and posts that wait for a decision are looked through every minute, however many runs have ended.
create index runs_reviewed on seo.runs (reviewed_at) where status = 'review';
