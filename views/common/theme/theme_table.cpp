#include "views/common/theme/theme_table.h"

namespace views {

namespace {

constexpr RoleColors roles[] = {
    {Role::Window, 0xF2F4F7, 0x13161B, 0x000000},
    {Role::Panel, 0xFFFFFF, 0x191D24, 0x000000},
    {Role::Panel2, 0xF8F9FB, 0x1E232B, 0x000000},
    {Role::Canvas, 0xF5F7FA, 0x101318, 0x000000},
    {Role::Raised, 0xFFFFFF, 0x232932, 0x000000},
    {Role::Field, 0xFFFFFF, 0x12161B, 0x000000},
    {Role::RowAlt, 0xF7F8FB, 0x1D2129, 0x000000},
    {Role::Hover, 0xEEF0F5, 0x262C36, 0x1A1A1A},
    {Role::Border, 0xDCE0E7, 0x2B323D, 0xFFFFFF},
    {Role::BorderStrong, 0xBCC4D0, 0x465163, 0xFFFFFF},
    {Role::CanvasDot, 0xD5DAE2, 0x252B35, 0x404040},
    {Role::Hatch, 0xC2C9D4, 0x3E4857, 0xFFFFFF},
    {Role::Text, 0x18202C, 0xE7EBF1, 0xFFFFFF},
    {Role::Text2, 0x465164, 0xB7C0CD, 0xFFFFFF},
    {Role::Text3, 0x5D6879, 0x8F9BAC, 0xD0D0D0},
    {Role::Disabled, 0x98A1AF, 0x5C6776, 0x8C8C8C},
    {Role::Accent, 0x4A50D0, 0x9AA0FF, 0xFFE14D},
    {Role::AccentFill, 0x4A50D0, 0x585FDD, 0xFFE14D},
    {Role::AccentFillHover, 0x3C42B8, 0x6A71EC, 0xFFEE99},
    {Role::OnAccent, 0xFFFFFF, 0xFFFFFF, 0x000000},
    {Role::AccentSoft, 0xECEDFC, 0x272B4D, 0x000000},
    {Role::AccentText, 0x3F45BF, 0xAEB3FF, 0x7FD7FF},
    {Role::Error, 0xBF2F36, 0xFF8080, 0xFF9C9C},
    {Role::ErrorSoft, 0xFDEDED, 0x3B2023, 0x000000},
    {Role::Warning, 0x8F5500, 0xF3B54A, 0xFFD27A},
    {Role::WarningFill, 0xE49A1B, 0xF3B54A, 0xFFD27A},
    {Role::WarningSoft, 0xFFF5E2, 0x382C16, 0x000000},
    {Role::Success, 0x17784A, 0x5ACB8D, 0x8CF0B0},
    {Role::SuccessSoft, 0xE6F5EC, 0x173022, 0x000000},
    {Role::Info, 0x1A67B5, 0x6AB4F7, 0x7FD7FF},
    {Role::InfoSoft, 0xE8F2FC, 0x17293B, 0x000000},
    {Role::Limit, 0xBF2F36, 0xFF8080, 0xFF9C9C},
    {Role::OnFill, 0x0E1520, 0x0B0E13, 0x000000},
    {Role::Shadow, 0x1A141C28, 0x73000000, 0x01000000},
    {Role::ToolTip, 0x10151D, 0x2A313C, 0x000000},
    {Role::ToolTipText, 0xF4F6FA, 0xF1F4F8, 0xFFFFFF},
    {Role::ToolTipText2, 0xB4BECC, 0xB7C0CD, 0xFFFFFF},
};
static_assert(std::size(roles) == roleCount);

/// The first six are distinct without a hatch in every kind of colour vision; the rest carry one.
constexpr StageColors stages[] = {
    {"azure", 0x2A64BE, 0x3888D7, HatchPattern::None},
    {"amber", 0x9E4C11, 0xEA9A2B, HatchPattern::None},
    {"teal", 0x46A38F, 0x62E5CF, HatchPattern::None},
    {"orchid", 0xBF73B9, 0xCD6FB1, HatchPattern::None},
    {"olive", 0x929557, 0xDDC882, HatchPattern::None},
    {"petrol", 0x205773, 0x61B2E9, HatchPattern::None},
    {"crimson", 0x990639, 0xE35B72, HatchPattern::Slash},
    {"iris", 0x7976D6, 0x9E84F5, HatchPattern::Backslash},
    {"moss", 0x638B32, 0x8CD968, HatchPattern::Dots},
    {"slate", 0x56708E, 0xA4B6DD, HatchPattern::Cross},
    {"plum", 0x7B3657, 0xDA5F98, HatchPattern::Vertical},
    {"umber", 0x8A6245, 0xEEB39C, HatchPattern::Horizontal},
};
static_assert(std::size(stages) == stageColorCount);

constexpr ActivityColors activities[] = {
    {Activity::Forward, "forward", 0x54A9EA, 0x699FEF},
    {Activity::Backward, "backward", 0xFCB24A, 0xED8C2F},
    {Activity::Recompute, "recompute", 0xCEB2E0, 0xD9AEF6},
    {Activity::WeightUpdate, "weight update", 0x67B470, 0x68C591},
    {Activity::Exchange, "exchange", 0x74CBD8, 0x85D1D9},
    {Activity::Copy, "IPU copy", 0xEE6A9B, 0xDC608F},
    {Activity::Sync, "sync", 0x9A9FA6, 0x87909C},
    {Activity::Host, "host I/O", 0xD2C393, 0xAC8334},
    {Activity::WeightGradient, "weight gradient", 0xB9CC5A, 0xB7C64F},
    {Activity::RemoteMemory, "remote memory", 0x8F8BE0, 0x8E84E8},
};
static_assert(std::size(activities) == activityCount);

/// Cool = always live, warm = not.
constexpr CategoryColors categories[] = {
    {core::MemoryCategory::VertexCode, 0x65C2A9, 0x98DBB2},
    {core::MemoryCategory::VertexState, 0x486751, 0x4A7E6C},
    {core::MemoryCategory::ExchangeCode, 0x5CA29D, 0x39959D},
    {core::MemoryCategory::ControlCode, 0xB7C8DC, 0xA1BED8},
    {core::MemoryCategory::Constants, 0x5F83A8, 0x5B83AD},
    {core::MemoryCategory::Stack, 0x8FA9B8, 0xC3D3DC},
    {core::MemoryCategory::Weights, 0x779BF8, 0x0D80DD},
    {core::MemoryCategory::OptimizerState, 0x524EB2, 0x645497},
    {core::MemoryCategory::Accumulators, 0x9A7DBA, 0xBF8FD0},
    {core::MemoryCategory::Stash, 0xC96976, 0xC74A62},
    {core::MemoryCategory::HostIo, 0xC8AF6C, 0xC7B585},
    {core::MemoryCategory::MessageBuffers, 0xA5673F, 0x96633C},
    {core::MemoryCategory::Activations, 0xEA8E23, 0xFCAC4D},
    {core::MemoryCategory::Temporary, 0xB98A4E, 0x8A6538},
};
static_assert(std::size(categories) == core::memoryCategoryCount);

} // namespace

std::span<const RoleColors> roleTable() {
    return roles;
}
std::span<const StageColors> stageTable() {
    return stages;
}
std::span<const ActivityColors> activityTable() {
    return activities;
}
std::span<const CategoryColors> categoryTable() {
    return categories;
}

} // namespace views
