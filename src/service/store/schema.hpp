// The tables, and how older ones become them.
#pragma once

#include "service/store/sqlite.hpp"

namespace spineweave::service {

// Brings the database to the present schema, in one transaction. Throws StoreError for a newer one, and for a file
// that holds something else.
void migrate(Database& database);

}  // namespace spineweave::service
