// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demo's files: what NumPy wrote is read, what the demo writes can be read back, and a broken file is refused with
// its name, the place and what belongs there.
#include "InputError.hpp"
#include "Npy.hpp"
#include "OpenDx.hpp"
#include "Picture.hpp"
#include "Pqr.hpp"

#include <gmock/gmock.h>
#include <png.h>

#include <fstream>
#include <sstream>

namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string numpy_file(const std::string& name) { return std::string(KERAMOS_TEST_DATA "/npy/") + name; }

std::string bytes_of(const std::string& file)
{
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A file with this content, gone with the test program's temporary folder.
std::string written(const std::string& name, const std::string& content)
{
  const std::string file = testing::TempDir() + "keramos_" + name;
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

/// What the reader says about the file; empty if it accepts it.
template <class Read>
std::string complaint(const Read& read, const std::string& file)
{
  try {
    read(file);
  } catch (const demo::InputError& error) {
    return error.what();
  }
  return "";
}

// ---- NumPy ---------------------------------------------------------------------------------------------------------

class NumpyFiles : public testing::TestWithParam<const char*> {};

TEST_P(NumpyFiles, HoldTheNumbersThatNumpyWrote)
{
  const demo::Volume volume = demo::read_npy(numpy_file(GetParam()));
  ASSERT_EQ(volume.extent, (std::array<std::size_t, 3>{2, 3, 4}));
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(volume(i, j, k), 100 * i + 10 * j + k + 0.5f) << i << j << k;
}

INSTANTIATE_TEST_SUITE_P(Forms, NumpyFiles,
                         testing::Values("c_f4.npy", "c_f8.npy", "fortran_f4.npy", "fortran_f8.npy", "version_2.npy",
                                         "version_3.npy"));

struct BrokenNumpy {
  const char* name;
  const char* place;
  const char* expected;
};

class BrokenNumpyFiles : public testing::TestWithParam<BrokenNumpy> {};

TEST_P(BrokenNumpyFiles, AreRefusedByItem)
{
  const std::string file = numpy_file(GetParam().name);
  EXPECT_THAT(complaint(demo::read_npy, file),
              AllOf(HasSubstr(file + ": "), HasSubstr(GetParam().place), HasSubstr(GetParam().expected)));
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, BrokenNumpyFiles,
    testing::Values(BrokenNumpy{"big_endian.npy", "header item 'descr'",
                                "little-endian float32 or float64, got '>f4', which is big"},
                    BrokenNumpy{"integers.npy", "header item 'descr'", "got '<i4'"},
                    BrokenNumpy{"rank_2.npy", "header item 'shape'",
                                "expected three extents of at least 1, as in (200, 200, 200), got (3, 4)"},
                    BrokenNumpy{"rank_4.npy", "header item 'shape'", "got (1, 2, 3, 4)"},
                    BrokenNumpy{"empty.npy", "header item 'shape'", "got (0, 3, 4)"},
                    BrokenNumpy{"no_such_file.npy", "", "expected a .npy file, got no file that can be opened"}));

TEST(BrokenNumpyFiles, AreRefusedWhereverTheyEnd)
{
  const std::string whole = bytes_of(numpy_file("c_f8.npy"));
  ASSERT_EQ(whole.size(), 128 + 24 * 8);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string file = written("truncated.npy", whole.substr(0, size));
    EXPECT_THAT(complaint(demo::read_npy, file), AllOf(HasSubstr(file), HasSubstr("bytes"))) << size;
  }
  EXPECT_THAT(complaint(demo::read_npy, written("truncated.npy", whole.substr(0, 200))),
              HasSubstr("data: expected 2 x 3 x 4 numbers of 8 bytes, got 72 bytes until the end of the file"));
}

TEST(BrokenNumpyFiles, AreRefusedForTheirHeader)
{
  const std::string whole = bytes_of(numpy_file("c_f4.npy"));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return complaint(demo::read_npy, written("header.npy", text.replace(text.find(from), from.size(), to)));
  };
  EXPECT_THAT(with("NUMPY", "LUMPY"), HasSubstr("magic string: expected \\x93NUMPY"));
  EXPECT_THAT(with(std::string("Y\x01", 2), std::string("Y\x04", 2)),
              HasSubstr("format version: expected 1, 2 or 3, got 4"));
  EXPECT_THAT(with("descr", "dascr"),
              HasSubstr("header item 'descr': expected an item of this name, got a header without it"));
  EXPECT_THAT(with("False", "Maybe"), HasSubstr("header item 'fortran_order': expected True or False, got Maybe"));
  EXPECT_THAT(with(" (2, 3, 4)", ""), HasSubstr("header item 'shape': expected a value, got nothing before the ','"));
  EXPECT_THAT(with("(2, 3, 4)", "(2, x, 4)"), HasSubstr("header item 'shape': expected three extents"));
  EXPECT_THAT(with("(2, 3, 4)", "(2,-3, 4)"), HasSubstr("header item 'shape': expected three extents"));
  EXPECT_THAT(with("(2, 3, 4)", "(2, 3, 4 "), HasSubstr("header item 'shape': expected a complete value"));
  for (const char* shape : {"(2  3  4)", "(2 3, 4) ", "(2,, 3,4)", "((2,3,4))", "(2,3,4,,)", "(,2,3,4) ", "(2, 3, 4]"})
    EXPECT_THAT(with("(2, 3, 4)", shape), HasSubstr("header item 'shape': expected ")) << shape;
  EXPECT_THAT(with("(2, 3, 4)", "(2  3  4)"),
              HasSubstr("expected three extents of at least 1, as in (200, 200, 200), got (2  3  4)"));
  EXPECT_EQ(with("(2, 3, 4)", "(2, 3,4 )"), "");
  EXPECT_EQ(with("(2, 3, 4)", "( 2 ,3,4,)"), "");
  // Too large for any memory: refused by the size of the file, before an array is made.
  EXPECT_THAT(with("(2, 3, 4), }        ", "(2000000, 3000000, 4)"),
              HasSubstr("data: expected 2000000 x 3000000 x 4 numbers"));
}

// ---- PQR -----------------------------------------------------------------------------------------------------------

TEST(PqrFiles, AreReadWithAndWithoutAChain)
{
  const auto molecule = demo::read_pqr(written("right.pqr", "REMARK   1 anything 1 2 3\n"
                                                            "ATOM  1 N   MET   1   -6.406  5.469 -3.259 -0.30 1.85\n"
                                                            "\n"
                                                            "HETATM 2 CA MET A 1   +1.5    2e1    0     0.25  0\n"
                                                            "TER\nEND\n"));
  ASSERT_EQ(molecule.charge.size(), 2u);
  EXPECT_EQ(molecule.position[0], (std::array{-6.406, 5.469, -3.259}));
  EXPECT_EQ(molecule.position[1], (std::array{1.5, 20.0, 0.0}));
  EXPECT_EQ(molecule.charge, (std::vector{-0.30, 0.25}));
}

TEST(PqrFiles, MayHoldWhatFloatHolds)
{
  const auto molecule = demo::read_pqr(written("range.pqr", "ATOM 1 N MET 1 -1e18 1.2e-38 -0.0 1e18 0\n"));
  EXPECT_EQ(molecule.position[0], (std::array{-1e18, 1.2e-38, 0.0}));
  EXPECT_EQ(molecule.charge[0], 1e18);
}

TEST(PqrFiles, TheCrystalIsNeutralAndWhole)
{
  const auto crystal = demo::read_pqr(KERAMOS_DEMO_DATA "/rock_salt.pqr");
  ASSERT_EQ(crystal.charge.size(), 13u * 13 * 13);
  double total = 0;
  for (const double charge : crystal.charge) total += charge;
  EXPECT_EQ(total, 0); // Evjen's charges are multiples of 1/8: no rounding
}

struct BrokenPqr {
  const char* content;
  const char* complaint;
};

class BrokenPqrFiles : public testing::TestWithParam<BrokenPqr> {};

TEST_P(BrokenPqrFiles, AreRefusedByLine)
{
  const std::string file = written("broken.pqr", GetParam().content);
  EXPECT_THAT(complaint(demo::read_pqr, file), HasSubstr(file + GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, BrokenPqrFiles,
    testing::Values(
        BrokenPqr{"", ": expected at least one ATOM or HETATM record, got none"},
        BrokenPqr{"REMARK\nATOM 1 N MET 1 1 2 3 4\n", ": line 2: expected 10 or 11 fields: record, serial"},
        BrokenPqr{"ATOM 1 N MET A 1 x 1 2 3 4 5\n", ": line 1: expected 10 or 11 fields"},
        BrokenPqr{"ATOM 1 N MET 1 1.0 2.0 3.O 0.5 1\n", ": line 1: expected a number for z, got '3.O'"},
        BrokenPqr{"ATOM 1 N MET 1 1.0 2.0 3.0 nan 1\n", ": line 1: expected a number for the charge, got 'nan'"},
        BrokenPqr{"ATOM 1 N MET 1 +-1 2 3 4 5\n", ": line 1: expected a number for x, got '+-1'"},
        BrokenPqr{"ATOM 1 N MET 1 1 2 3 4 -\n", ": line 1: expected a number for the radius, got '-'"},
        BrokenPqr{"ATOM 1 N MET 1 1 2 3 4 5\nATOM 2 N MET 1 1 2 1e39 4 5\n",
                  ": line 2: expected a number for z that float can compute with (0, or from "
                  "1.2e-38 to 1e+18 in magnitude), got '1e39'"},
        BrokenPqr{"ATOM 1 N MET 1 -3e19 2 3 4 5\n", ": line 1: expected a number for x that float can compute with"},
        BrokenPqr{"ATOM 1 N MET 1 1 1e400 3 4 5\n", ": line 1: expected a number for y that float can compute with"},
        BrokenPqr{"ATOM 1 N MET 1 1 2 3 1e38 5\n",
                  ": line 1: expected a number for the charge that float can compute with"},
        BrokenPqr{"ATOM 1 N MET 1 1 2 3 -1e-50 5\n",
                  ": line 1: expected a number for the charge that float can compute with"},
        BrokenPqr{"ATOM 1 N MET 1 1 2 3 1e-400 5\n",
                  ": line 1: expected a number for the charge that float can compute with"},
        BrokenPqr{"\n\nATOMS 1 N MET 1 1 2 3 4 5\n",
                  ": line 3: expected a record ATOM, HETATM, REMARK, TER or END, got 'ATOMS'"}));

TEST(PqrFiles, ThatAreNotThereAreNamed)
{
  EXPECT_THAT(complaint(demo::read_pqr, "no/such.pqr"), HasSubstr("no/such.pqr: expected a PQR file, got no file"));
}

// ---- What the demo writes ------------------------------------------------------------------------------------------

TEST(OpenDxFiles, CanBeReadBack)
{
  demo::Volume volume({2, 3, 4});
  for (std::size_t n = 0; n < volume.value.size(); ++n) volume.value[n] = static_cast<float>(n) / 7 - 1.25e-3f;
  const std::string file = testing::TempDir() + "keramos_volume.dx";
  demo::write_open_dx(file, volume, {-1.5, 0.25, 3}, {0.5, 0.25, 0.125}, "a comment");

  // As visualisation tools do it: key words, then numbers, the last index fastest.
  std::ifstream in(file);
  std::string line, word;
  std::getline(in, line);
  EXPECT_EQ(line, "# a comment");
  std::getline(in, line);
  EXPECT_EQ(line, "object 1 class gridpositions counts 2 3 4");
  std::getline(in, line);
  EXPECT_EQ(line, "origin -1.5 0.25 3");
  for (const char* delta : {"delta 0.5 0 0", "delta 0 0.25 0", "delta 0 0 0.125"}) {
    std::getline(in, line);
    EXPECT_EQ(line, delta);
  }
  std::getline(in, line);
  EXPECT_EQ(line, "object 2 class gridconnections counts 2 3 4");
  std::getline(in, line);
  EXPECT_EQ(line, "object 3 class array type double rank 0 items 24 data follows");
  for (const float value : volume.value) {
    float read = 0;
    ASSERT_TRUE(in >> read);
    EXPECT_NEAR(read, value, 1e-6 * std::abs(value));
  }
  in >> word;
  EXPECT_EQ(word, "attribute");
  EXPECT_THROW(demo::write_open_dx("/no/such/folder/x.dx", volume, {}, {}, ""), std::runtime_error);
}

TEST(Pictures, BecomePngFiles)
{
  demo::Picture picture(5, 3, demo::white);
  picture.blend(1, 2, {1, 0, 0});
  picture.blend(4, 0, demo::black, 0.5);
  picture.blend(-1, 7, demo::black); // outside: nothing
  const std::string file = testing::TempDir() + "keramos_picture.png";
  picture.write_png(file);

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&image, file.c_str())) << image.message;
  ASSERT_EQ(image.width, 5u);
  ASSERT_EQ(image.height, 3u);
  image.format = PNG_FORMAT_RGB;
  std::vector<unsigned char> bytes(PNG_IMAGE_SIZE(image));
  ASSERT_TRUE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr)) << image.message;
  const auto pixel = [&](int x, int y) {
    const unsigned char* at = &bytes[3 * (y * 5 + x)];
    return std::array<int, 3>{at[0], at[1], at[2]};
  };
  EXPECT_EQ(pixel(1, 2), (std::array{255, 0, 0}));
  EXPECT_EQ(pixel(4, 0), (std::array{128, 128, 128}));
  EXPECT_EQ(pixel(0, 0), (std::array{255, 255, 255}));
  EXPECT_THROW(picture.write_png("/no/such/folder/x.png"), std::runtime_error);
}

} // namespace
