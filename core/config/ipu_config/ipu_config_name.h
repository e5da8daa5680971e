#pragma once

#include "core/config/ipu_config/ipu_config_rows.h"

#include <concepts>
#include <string_view>

namespace core {

/// The name of an option of IPUConfig that has one of the types (any where none is listed). It is made from
/// a literal only and looked up in the option table by the compiler: one that is misspelt, or has another
/// type, is an error of compilation.
template <OptionType... types>
class IpuConfigName {
public:
    template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
    consteval IpuConfigName(const Text& name) // NOLINT(google-explicit-constructor)
        : m_option(&ipu_config_rows::option(name)) {
        if (sizeof...(types) > 0 && !((m_option->type == types) || ...))
            throw "the option has another type";
    }

    [[nodiscard]] constexpr const IpuConfigOption& option() const { return *m_option; }
    [[nodiscard]] constexpr std::string_view text() const { return m_option->name; }

private:
    const IpuConfigOption* m_option;
};

using AnyOptionName = IpuConfigName<>;
using SwitchOptionName = IpuConfigName<OptionType::Switch>;
using IntegerOptionName = IpuConfigName<OptionType::Integer>;
using NumberOptionName = IpuConfigName<OptionType::Number>;
using TextOptionName = IpuConfigName<OptionType::Text, OptionType::Choice>;
using IntegersOptionName = IpuConfigName<OptionType::IntegerOrList>;
using PoplarOptionName = IpuConfigName<OptionType::PoplarOptions>;

/// One of the floating-point behaviours, "esr".
class FloatingPointBehaviour {
public:
    consteval FloatingPointBehaviour(const char* name) { // NOLINT(google-explicit-constructor)
        constexpr std::string_view category = "floating_point_behaviour.";
        bool isKnown = false;
        for (const IpuConfigOption& row : ipu_config_rows::arithmeticRows)
            if (row.name.starts_with(category) && row.name.substr(category.size()) == name) {
                m_option = &row;
                isKnown = true;
            }
        if (!isKnown)
            throw "there is no such floating-point behaviour";
    }

    [[nodiscard]] constexpr const IpuConfigOption& option() const { return *m_option; }

private:
    const IpuConfigOption* m_option = nullptr;
};

} // namespace core
