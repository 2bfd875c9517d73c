CREATE TABLE "webhook_attempts" (
	"delivery_id" text NOT NULL,
	"no" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ms" integer NOT NULL,
	"status" integer,
	"problem" text,
	"response" text,
	CONSTRAINT "webhook_attempts_delivery_id_no_pk" PRIMARY KEY("delivery_id","no")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"once_key" text,
	"target" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempts_before" integer DEFAULT 0 NOT NULL,
	"last_status" integer,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"start_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text,
	"url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"events" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"secret" "bytea",
	"key_id" text,
	"previous_secret" "bytea",
	"previous_key_id" text,
	"previous_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "checks" jsonb;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "mergeable" boolean;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "review" text;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "looked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "look_problem" text;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "look_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_webhook" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("webhook_id","once_key");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("start_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claimed" ON "webhook_deliveries" USING btree ("target","claimed_until") WHERE claimed_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_of_project" ON "webhooks" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhooks_of_job" ON "webhooks" USING btree ("job_id");