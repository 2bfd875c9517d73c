CREATE TABLE "changed_pages" (
	"job_id" text NOT NULL,
	"of" text NOT NULL,
	"path" text NOT NULL,
	"before" text,
	"after" text,
	CONSTRAINT "changed_pages_job_id_of_path_pk" PRIMARY KEY("job_id","of","path")
);
--> statement-breakpoint
ALTER TABLE "changed_pages" ADD CONSTRAINT "changed_pages_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;