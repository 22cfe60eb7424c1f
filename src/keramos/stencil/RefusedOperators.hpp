// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of FiniteDifference say to arguments that they do not take (core/Refused.hpp).
#pragma once

#include "../core/Refused.hpp"

namespace Keramos::FiniteDifference {

template <int... numbers>
Keramos::core::Refused first_derivative(Keramos::core::Anything = {}, Keramos::core::Anything = {},
                                        Keramos::core::Anything = {}, Keramos::core::Anything = {})
    KERAMOS_REFUSED("Keramos::FiniteDifference::first_derivative: expected first_derivative<Rank, Accuracy>(axis, "
                    "spacing), with a whole number or an enumerator for the axis and a number for the spacing.");
template <int... numbers>
Keramos::core::Refused second_derivative(Keramos::core::Anything = {}, Keramos::core::Anything = {},
                                         Keramos::core::Anything = {}, Keramos::core::Anything = {})
    KERAMOS_REFUSED("Keramos::FiniteDifference::second_derivative: expected second_derivative<Rank, Accuracy>(axis, "
                    "spacing), with a whole number or an enumerator for the axis and a number for the spacing.");
template <int... numbers>
Keramos::core::Refused laplacian(Keramos::core::Anything = {}, Keramos::core::Anything = {},
                                 Keramos::core::Anything = {}, Keramos::core::Anything = {})
    KERAMOS_REFUSED("Keramos::FiniteDifference::laplacian: expected laplacian<Rank, Accuracy>(h0, h1, h2), with one "
                    "spacing, a number, for each of Rank View indices.");
template <int... numbers>
Keramos::core::Refused derivative(Keramos::core::Anything = {}, Keramos::core::Anything = {},
                                  Keramos::core::Anything = {}, Keramos::core::Anything = {},
                                  Keramos::core::Anything = {})
    KERAMOS_REFUSED("Keramos::FiniteDifference::derivative: expected derivative<Rank>(axis, order, {offsets...}, "
                    "spacing), with whole numbers for all but the spacing, which is a number.");
Keramos::core::Refused weights(Keramos::core::Anything = {}, Keramos::core::Anything = {}, Keramos::core::Anything = {})
    KERAMOS_REFUSED(
        "Keramos::FiniteDifference::weights: expected weights(order, {offsets...}), with a whole number and "
        "numbers.");

} // namespace Keramos::FiniteDifference
