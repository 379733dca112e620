// Connection strings are shown without their secrets, however they are written.
#include "store/connection_string.h"

#include "gtest/gtest.h"

namespace tarn {
namespace {

TEST(ConnectionString, PairsLoseTheirPasswords) {
  EXPECT_EQ(WithoutPasswords("host=h password=s3cret user=u"), "host=h user=u");
  EXPECT_EQ(WithoutPasswords("password = 'it\\'s s3cret' dbname=d"), "dbname=d");
  EXPECT_EQ(WithoutPasswords("host=h password='it''s s3cret' dbname=d"), "host=h");
  EXPECT_EQ(WithoutPasswords("host=h password=my s3cret dbname=d"), "host=h dbname=d");
  EXPECT_EQ(WithoutPasswords("PASSWORD=s3cret"), "");
  EXPECT_EQ(WithoutPasswords("host=h pasword=s3cret"), "host=h");
  EXPECT_EQ(WithoutPasswords("sslpassword=s3cret sslkey=k"), "sslkey=k");
  EXPECT_EQ(WithoutPasswords("host=h password='s3cret never ends"), "host=h");
  EXPECT_EQ(WithoutPasswords("dbname='my password=x'"), "dbname='my password=x'");
  EXPECT_EQ(WithoutPasswords("postgres:host=h password=s3cret user=u"), "postgres:host=h user=u");
}

TEST(ConnectionString, AddressesLoseTheirPasswords) {
  EXPECT_EQ(WithoutPasswords("postgres://u:s3cret@h:5432/d"), "postgres://u@h:5432/d");
  EXPECT_EQ(WithoutPasswords("postgresql://u@h/d?sslmode=require"),
            "postgresql://u@h/d?sslmode=require");
  EXPECT_EQ(WithoutPasswords("postgres://u:s3@cret@h/d"), "postgres://u@h/d");
  EXPECT_EQ(WithoutPasswords("postgres://u:s3/cret@h/d"), "postgres://u@h/d");
  EXPECT_EQ(WithoutPasswords("postgres://h/d?password=s3cret&user=u&sslpassword=s"),
            "postgres://h/d?user=u");
  EXPECT_EQ(WithoutPasswords("postgres://h/d?pass%77ord=s3cret"), "postgres://h/d");
  EXPECT_EQ(WithoutPasswords("postgres:postgres://u:s3cret@h/d"), "postgres:postgres://u@h/d");
}

TEST(ConnectionString, OtherTextStaysAsItIs) {
  for (const char* text : {"", "lake", "/folder/lake.db", "host=h dbname=d", "a b c"})
    EXPECT_EQ(WithoutPasswords(text), text);
}

}  // namespace
}  // namespace tarn
