#pragma once

#include <string_view>

namespace core {

// The SQL text that makes an empty profile database, by subject. Conventions: the unit ends the column's name
// (`_cycles`, `_bytes`); NULL stands for "none applies"; every table of a run starts its key with `run_id`
// and goes with its run. Views (`v_…`) speak names instead of numbers and are what people and scripts query.

extern const std::string_view enumTablesSql;
extern const std::string_view runTablesSql;
extern const std::string_view programTablesSql;
extern const std::string_view timeTablesSql;
extern const std::string_view memoryTablesSql;
extern const std::string_view trainingTablesSql;
/// Tables, enum table and views of the training records: what version 2 of the schema added.
extern const std::string_view trainingRecordsSql;
/// Table and view of the callbacks' timing: what version 3 added.
extern const std::string_view callbacksSql;

extern const std::string_view runViewsSql;
extern const std::string_view timeViewsSql;
extern const std::string_view memoryViewsSql;
extern const std::string_view programViewsSql;

} // namespace core
