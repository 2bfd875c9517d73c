CREATE TABLE "check_rounds" (
	"job_id" text NOT NULL,
	"turn_no" integer NOT NULL,
	"step_no" integer NOT NULL,
	"pages" integer NOT NULL,
	"site" text NOT NULL,
	"problems" jsonb NOT NULL,
	"earlier_problems" integer NOT NULL,
	"notes" jsonb NOT NULL,
	"secrets" jsonb NOT NULL,
	"told" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "check_rounds_job_id_turn_no_step_no_pk" PRIMARY KEY("job_id","turn_no","step_no")
);
--> statement-breakpoint
CREATE TABLE "pending_diffs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"turn_no" integer NOT NULL,
	"step_no" integer NOT NULL,
	"base_commit" text NOT NULL,
	"diff" text NOT NULL,
	"is_cut" boolean NOT NULL,
	"files" integer NOT NULL,
	"additions" integer NOT NULL,
	"deletions" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "pending_changes" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "publish_order" jsonb;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "remark" text;--> statement-breakpoint
ALTER TABLE "check_rounds" ADD CONSTRAINT "check_rounds_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_diffs" ADD CONSTRAINT "pending_diffs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;