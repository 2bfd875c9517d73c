CREATE TABLE "citations" (
	"job_id" text NOT NULL,
	"turn_no" integer NOT NULL,
	"no" integer NOT NULL,
	"page" text NOT NULL,
	"line" integer NOT NULL,
	"claim" text NOT NULL,
	"source" text NOT NULL,
	"repository" text NOT NULL,
	"path" text NOT NULL,
	"commit" text NOT NULL,
	"from_line" integer NOT NULL,
	"to_line" integer NOT NULL,
	"sha256" text NOT NULL,
	"state" text DEFAULT 'held' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "citations_job_id_turn_no_no_pk" PRIMARY KEY("job_id","turn_no","no")
);
--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "claims_without_source" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "citations" ADD CONSTRAINT "citations_turn" FOREIGN KEY ("job_id","turn_no") REFERENCES "public"."turns"("job_id","no") ON DELETE cascade ON UPDATE no action;