CREATE TABLE "analytics_messages" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"period" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text,
	"body" text,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"unknown_attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "analytics_messages_project_id_kind_period_recipient_pk" PRIMARY KEY("project_id","kind","period","recipient")
);
--> statement-breakpoint
ALTER TABLE "analytics_messages" ADD CONSTRAINT "analytics_messages_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "analytics_messages_due" ON "analytics_messages" USING btree ("due_at") WHERE state IN ('waiting', 'sending');--> statement-breakpoint
CREATE INDEX "analytics_messages_created" ON "analytics_messages" USING btree ("created_at");