ALTER TABLE "host_messages" ALTER COLUMN "job_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "host_messages" ALTER COLUMN "pull_request_id" DROP NOT NULL;