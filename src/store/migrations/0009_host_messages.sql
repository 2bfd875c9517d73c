CREATE TABLE "host_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text NOT NULL,
	"message_no" integer,
	"pull_request_id" text NOT NULL,
	"place" jsonb NOT NULL,
	"thread" text NOT NULL,
	"reacted_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"reply_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "host_messages" ADD CONSTRAINT "host_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_messages" ADD CONSTRAINT "host_messages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "host_messages_of_job" ON "host_messages" USING btree ("job_id","thread");--> statement-breakpoint
CREATE INDEX "host_messages_of_project" ON "host_messages" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "host_messages_due" ON "host_messages" USING btree ("due_at") WHERE message_no IS NOT NULL AND answered_at IS NULL;