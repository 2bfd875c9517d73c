-- docent: expand
CREATE TABLE "analytics_folder" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" text NOT NULL,
	"path" text NOT NULL,
	"host" text NOT NULL,
	"claimed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "analytics_folder_singleton" CHECK ("analytics_folder"."singleton")
);
--> statement-breakpoint
CREATE TABLE "analytics_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"no" bigserial NOT NULL,
	"name" text NOT NULL,
	"host" text NOT NULL,
	"pid" integer NOT NULL,
	"path" text NOT NULL,
	"nonce" text NOT NULL,
	"sees_others" boolean NOT NULL,
	"beat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_deletions" (
	"path" text PRIMARY KEY NOT NULL,
	"noted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "analytics_damage" ADD COLUMN "bytes" bigint;--> statement-breakpoint
ALTER TABLE "analytics_damage" ADD COLUMN "sha256" "bytea";
