// The name is of C.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// What JOSESwift needs of Darwin's C library. It is part of test-libraries.py and of no product.

func timingsafe_bcmp(_ a: [UInt8], _ b: [UInt8], _ count: Int) -> Int32 {
  zip(a, b).reduce(0) { $0 | Int32($1.0 ^ $1.1) }
}
