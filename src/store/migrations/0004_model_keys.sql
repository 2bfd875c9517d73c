CREATE TABLE "model_keys" (
	"provider" text PRIMARY KEY NOT NULL,
	"base_url" text,
	"secret" "bytea" NOT NULL,
	"key_id" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
