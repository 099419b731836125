#pragma once

#include <string>

namespace lantern::cli {

/// The page of cli/page with its style, its script and `data`, a JSON text without a '<', in it.
std::string page(const std::string& title, const std::string& data);

}  // namespace lantern::cli
