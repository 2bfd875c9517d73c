CREATE TABLE "duties" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL
);
