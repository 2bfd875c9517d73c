CREATE TABLE "agent_ranges" (
	"url" text PRIMARY KEY NOT NULL,
	"ranges" text[] NOT NULL,
	"read_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
