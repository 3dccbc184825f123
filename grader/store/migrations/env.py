"""What Alembic runs: the migrations that a store lacks, in the transaction of the connection it is given."""

from alembic import context

from grader.store.schema import TABLES, VERSION_TABLE

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=TABLES, version_table=VERSION_TABLE)
context.run_migrations()
