// The sentence with which something is refused.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "failure.hpp"

namespace zellige::profiler {

/// The sentence with which `body` refuses bad arguments, "" when it does not.
template <class Body>
std::string refusal(const Body& body) {
  try {
    body();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), Exit::bad_arguments);
    return failure.what();
  }
  return {};
}

}  // namespace zellige::profiler
