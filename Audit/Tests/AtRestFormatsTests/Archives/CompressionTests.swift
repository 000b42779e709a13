import AtRestFormats
import Foundation
import Testing

/// The formats of compression beside deflate and LZ4, as their own tools write them.
@Suite struct CompressionTests {
  private static let text =
    "first line of the page\na page with violet-kestrel-48 in it, and more text after it\n"

  private static let samples: [PackedStream.Format: String] = [
    .bzip2: """
    QlpoOTFBWSZTWYYRSTAAABNZgAAQQAYEQCfv3cAgAEhqn6miDyNTTT1DQiZMgAADfwT2jE21DGryp0bPZ4Brcq6HjDShed\
    EC09ug+teBhuAkPCBEilDL3iXJyxMQP4u5IpwoSEMIpJgA
    """,
    .xz: """
    /Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABSAE5dADMaSqwMcr+NWPlNhCeabbSKIKtlMX+IKVwNU1U/cNd3T9LgrHVW7/\
    OFriAfmZhFwtT0BA5WFfFktgelV37jbf9UEz6qUhQjb9v6AUxYQAAAAMLJcFWvvPPKAAFqU0g29k0ftvN9AQAAAAAEWVo=
    """,
    .lzma: """
    XQAAgAD//////////wAzGkqsDHK/jVj5TYQnmm20iiCrZTF/iClcDVNVP3DXd0/S4Kx1Vu/zha4gH5mYRcLU9AQOVhXxZL\
    YHpVd+423/VBM+qlIUI2/b+gMG5WIe/xLagAA=
    """,
    .zstd: """
    KLUv/QRoHQIA4sQOEKDtxMHHd2pSxP/+OheqckbgynF/il/33viajSsOV3bKZAi28XKX+LKnptMVdQGLCvSm+zyvU8yXUZ\
    0BAEgoY81GHc0=
    """,
    .brotli: """
    G1IAYIzDOBbcdW9WIp2cX+ggt1BPtdqqxglLswMOOWDuWVsggXqeslBFY6LZw43y2hTZIL+HuW7Kr/T9uhSwXoKxp1U4ko\
    gA
    """,
  ]

  private func sample(_ format: PackedStream.Format) throws -> [UInt8] {
    let sample = try #require(Self.samples[format])
    return Array(try #require(Data(base64Encoded: sample)))
  }

  private func unpack(
    _ bytes: [UInt8], _ format: PackedStream.Format, limit: Int = 1 << 20
  ) throws -> (end: Int, text: String) {
    var unpacked: [UInt8] = []
    let end = try PackedStream.read(
      ByteSource(bytes), in: 0..<bytes.count, as: format, limit: limit
    ) { unpacked += $0 }
    return (end, String(decoding: unpacked, as: UTF8.self))
  }

  @Test(arguments: PackedStream.Format.allCases)
  func aStreamIsReadToItsEnd(_ format: PackedStream.Format) throws {
    let bytes = try sample(format)
    let (end, text) = try unpack(bytes + [9, 9, 9], format)
    #expect(end == bytes.count)
    #expect(text == Self.text)
  }

  @Test(arguments: [PackedStream.Format.bzip2, .xz, .zstd])
  func twoStreamsAreOneFile(_ format: PackedStream.Format) throws {
    let bytes = try sample(format)
    #expect(try unpack(bytes + bytes, format).text == Self.text + Self.text)
  }

  @Test(arguments: PackedStream.Format.allCases)
  func aDamagedOrCutStreamThrows(_ format: PackedStream.Format) throws {
    let bytes = try sample(format)
    #expect(throws: FormatError.self) { try unpack(Array(bytes.prefix(bytes.count / 2)), format) }
    for index in stride(from: 0, to: bytes.count, by: 3) {
      var changed = bytes
      changed[index] ^= 0x55
      // Some changes have no effect, but none may bring the program down.
      _ = try? unpack(changed, format)
    }
  }

  @Test(arguments: PackedStream.Format.allCases)
  func moreThanTheLimitThrows(_ format: PackedStream.Format) throws {
    let bytes = try sample(format)
    #expect(throws: FormatError.self) { try unpack(bytes, format, limit: Self.text.utf8.count - 1) }
    #expect(try unpack(bytes, format, limit: Self.text.utf8.count).text == Self.text)
  }

  @Test(arguments: [
    (PackedStream.Format.bzip2, FileType.bzip2), (.xz, .xz), (.lzma, .lzma), (.zstd, .zstd),
    (.brotli, .unknown),
  ])
  func theTypeIsDetected(_ format: PackedStream.Format, _ type: FileType) throws {
    #expect(FileType.read(try sample(format), isWhole: true) == type)
  }

  @Test func streamsWithoutAHeadAreRecognised() throws {
    let deflated = try #require(
      Data(
        base64Encoded: """
          HcjBDYAgEATAP1VsAfLzYTskLnIRwRwbtXyNr0kmmw+hWiN6hgpxpo0h/eA2FVzWKxV3DjlrnBdYg2lCaiuO7oT4CCmL\
          /n14AQ==
          """))
    let found = try #require(HeadlessStream.unpack(Array(deflated)[...], limit: 1 << 20))
    #expect(found.format == "deflate")
    #expect(String(decoding: found.contents, as: UTF8.self) == Self.text)
    let brotli = try #require(HeadlessStream.unpack(try sample(.brotli)[...], limit: 1 << 20))
    #expect(brotli.format == "brotli")
  }

  @Test func otherBytesAreNoStreamWithoutAHead() {
    var state: UInt64 = 19
    for count in 6..<300 {
      let bytes = (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      #expect(HeadlessStream.unpack(bytes[...], limit: 1 << 20) == nil, "\(bytes)")
    }
  }
}
