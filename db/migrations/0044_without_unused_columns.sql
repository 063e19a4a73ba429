-- Both are optional in the document, and nothing ever wrote or read them: a repeat within a batch is recognised by the same rules as any
-- other repeat, and the version of a message's form is hash_version.
drop index delivery.deliveries_once_per_batch;
alter table delivery.deliveries drop column enqueue_batch_id;
alter table delivery.messages drop column normalization_version;
