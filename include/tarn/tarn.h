// All of Tarn's public API, for those who do not want to choose.
#pragma once

#include "tarn/catalog_store.h"
#include "tarn/check.h"
#include "tarn/data_file.h"
#include "tarn/error.h"
#include "tarn/file_system.h"
#include "tarn/footer.h"
#include "tarn/ids.h"
#include "tarn/lake.h"
#include "tarn/maintenance.h"
#include "tarn/restore.h"
#include "tarn/scan.h"
#include "tarn/schema.h"
#include "tarn/snapshot.h"
#include "tarn/stores.h"
#include "tarn/transaction.h"
