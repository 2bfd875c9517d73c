CREATE TABLE "reader_feedback" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"path" text NOT NULL,
	"source" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"helpful" boolean,
	"comment" text,
	"contact" text,
	"code" text,
	"filename" text,
	"lang" text,
	"visitor" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reader_searches" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"query" text NOT NULL,
	"clicked_path" text,
	"visitor" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reader_feedback" ADD CONSTRAINT "reader_feedback_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reader_searches" ADD CONSTRAINT "reader_searches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reader_feedback_project" ON "reader_feedback" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "reader_searches_project" ON "reader_searches" USING btree ("project_id","created_at");