#include "app/verbs/completion_script.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace app {

namespace {

/// `text` with a backslash before each of the letters.
std::string withBackslashes(std::string_view text, std::string_view letters) {
    std::string escaped;
    for (const char letter : text) {
        if (letters.find(letter) != std::string_view::npos)
            escaped += '\\';
        escaped += letter;
    }
    return escaped;
}

/// In single quotes for sh, where a single quote stands outside of them.
std::string shellQuoted(std::string_view text) {
    std::string quoted = "'";
    for (const char letter : text)
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return quoted + "'";
}

std::string wordsOf(const VerbReference& verb) {
    std::vector<std::string> words;
    for (const OptionReference& option : verb.options) {
        if (!option.isArgument)
            words.insert(words.end(), option.names.begin(), option.names.end());
    }
    return fmt::format("{}", fmt::join(words, " "));
}

std::string bashScript(const std::vector<VerbReference>& verbs) {
    std::string cases;
    std::vector<std::string_view> names;
    for (const VerbReference& verb : verbs) {
        names.push_back(verb.name);
        cases += fmt::format("    {}) words='{}' ;;\n", verb.name, wordsOf(verb));
    }
    return fmt::format(R"(# bash completion of ipu-workbench
_ipu_workbench() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} verb='' words='' i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; ++i)); do
        if [[ ${{COMP_WORDS[i]}} != -* ]]; then
            verb=${{COMP_WORDS[i]}}
            break
        fi
    done
    case $verb in
    '') words='{} --help --version' ;;
{}    esac
    # Where nothing comes of it, bash completes files.
    if [[ -z $verb || $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    fi
}}
complete -o bashdefault -o default -F _ipu_workbench ipu-workbench
)",
                       fmt::join(names, " "), cases);
}

/// One line of `_arguments`.
std::string zshArgument(const OptionReference& option) {
    if (option.isArgument)
        return shellQuoted(fmt::format("{}:{}:_files", option.isRepeated ? "*" : "", option.names.front()));
    const std::string rest =
        fmt::format("[{}]{}", withBackslashes(option.text, "[]:\\"),
                    option.value.empty() ? std::string()
                                         : fmt::format(":{}:_files", withBackslashes(option.value, ":\\")));
    std::vector<std::string> lines;
    for (const std::string& name : option.names) {
        const std::string others =
            option.isRepeated ? std::string("*") : fmt::format("({})", fmt::join(option.names, " "));
        lines.push_back(shellQuoted(fmt::format("{}{}{}", others, name, rest)));
    }
    return fmt::format("{}", fmt::join(lines, " "));
}

std::string zshScript(const std::vector<VerbReference>& verbs) {
    std::string summaries;
    std::string cases;
    for (const VerbReference& verb : verbs) {
        summaries +=
            fmt::format("        {}\n",
                        shellQuoted(fmt::format("{}:{}", verb.name, withBackslashes(verb.summary, ":\\"))));
        cases += fmt::format("        {})\n            _arguments -s", verb.name);
        for (const OptionReference& option : verb.options)
            cases += " \\\n                " + zshArgument(option);
        cases += " ;;\n";
    }
    return fmt::format(R"(#compdef ipu-workbench
_ipu-workbench() {{
    local state line
    local -a verbs
    verbs=(
{}    )
    _arguments -C '1:verb:->verb' '*::argument:->argument'
    case $state in
    verb)
        _describe verb verbs
        _files -g '*.ipuproj' ;;
    argument)
        case $line[1] in
{}        esac ;;
    esac
}}
if [[ $funcstack[1] == _ipu-workbench ]]; then
    _ipu-workbench "$@"
else
    compdef _ipu-workbench ipu-workbench
fi
)",
                       summaries, cases);
}

std::string fishScript(const std::vector<VerbReference>& verbs) {
    const auto quoted = [](std::string_view text) { return "'" + withBackslashes(text, "'\\") + "'"; };
    std::string text = "# fish completion of ipu-workbench\n";
    for (const VerbReference& verb : verbs)
        text += fmt::format("complete -c ipu-workbench -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                            quoted(verb.summary));
    for (const VerbReference& verb : verbs) {
        for (const OptionReference& option : verb.options) {
            if (option.isArgument)
                continue;
            text += fmt::format("complete -c ipu-workbench -n '__fish_seen_subcommand_from {}'", verb.name);
            for (const std::string& name : option.names)
                text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                               : fmt::format(" -s {}", name.substr(1));
            text += fmt::format("{} -d {}\n", option.value.empty() ? "" : " -r", quoted(option.text));
        }
    }
    return text;
}

} // namespace

std::string completionScript(Shell shell, const std::vector<VerbReference>& verbs) {
    switch (shell) {
    case Shell::Bash:
        return bashScript(verbs);
    case Shell::Zsh:
        return zshScript(verbs);
    case Shell::Fish:
        break;
    }
    return fishScript(verbs);
}

} // namespace app
