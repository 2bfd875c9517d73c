-- docent: expand
-- What the last turn of a failed job was asked for, and its model never answered to, goes to the agent with the next message.
UPDATE "messages" m SET "state" = 'unheard'
FROM "jobs" j JOIN "turns" t ON t."job_id" = j."id" AND t."no" = j."last_turn_no"
WHERE j."status" = 'failed' AND t."state" = 'failed' AND m."job_id" = j."id" AND m."turn_no" = t."no" AND m."state" = 'done'
  AND NOT EXISTS (
    SELECT 1 FROM "transcript" r
    WHERE r."job_id" = m."job_id" AND r."turn_no" = m."turn_no" AND r."step_no" = m."step_no" AND r."part" = 'model');
