CREATE TABLE "code_hosts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"web_url" text NOT NULL,
	"api_url" text NOT NULL,
	"app_id" text,
	"credential" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "number" integer;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD COLUMN "link" text;