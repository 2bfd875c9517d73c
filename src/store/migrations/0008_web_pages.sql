CREATE TABLE "web_pages" (
	"job_id" text NOT NULL,
	"asked" text NOT NULL,
	"url" text NOT NULL,
	"text" text NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "web_pages_job_id_asked_pk" PRIMARY KEY("job_id","asked")
);
--> statement-breakpoint
ALTER TABLE "web_pages" ADD CONSTRAINT "web_pages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;