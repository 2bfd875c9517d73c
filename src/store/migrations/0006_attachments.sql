CREATE TABLE "attachment_uses" (
	"attachment_id" text NOT NULL,
	"job_id" text NOT NULL,
	CONSTRAINT "attachment_uses_job_id_attachment_id_pk" PRIMARY KEY("job_id","attachment_id")
);
--> statement-breakpoint
CREATE TABLE "attachments" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer,
	"height" integer,
	"sha256" text NOT NULL,
	"blob_id" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "attachments" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "answered_after" integer;--> statement-breakpoint
ALTER TABLE "attachment_uses" ADD CONSTRAINT "attachment_uses_attachment_id_attachments_id_fk" FOREIGN KEY ("attachment_id") REFERENCES "public"."attachments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachment_uses" ADD CONSTRAINT "attachment_uses_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachment_uses_attachment" ON "attachment_uses" USING btree ("attachment_id");--> statement-breakpoint
CREATE INDEX "attachments_of_project" ON "attachments" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "attachments_expiry" ON "attachments" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "attachments" ALTER COLUMN "content" SET STORAGE EXTERNAL;