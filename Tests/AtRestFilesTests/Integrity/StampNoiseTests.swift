import AtRestFiles
import Foundation
import Testing

@Suite struct StampNoiseTests {
  /// Damaged stamps and manifests are refused, and never end the process.
  @Test func noiseIsRefused() throws {
    let folder = try StampingFolder()
    try folder.write("a/file", "contents")
    try folder.link("link", to: "a")
    let (stamper, verifier, _) = try StampingMethod.p256.keys()
    let stamp = try stamper.stamp(folder.url.appendingPathComponent("a/file")).encoded
    let manifest = try stamper.manifest(of: folder.url).encoded
    let file = folder.url.appendingPathComponent("a/noise")
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var noise = Bool.random(using: &generator) ? stamp : manifest
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let offset = Int.random(in: 0..<noise.count, using: &generator)
        noise[offset] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &generator) ?? 0
        if Int.random(in: 0..<8, using: &generator) == 0 { noise = noise.prefix(offset + 1) }
      }
      guard noise != stamp, noise != manifest else { continue }
      let errors = [
        stampError { try verifier.check(file, against: FileStamp(decoding: noise)) },
        stampError { try verifier.check(FolderManifest(decoding: noise)) },
      ]
      for error in errors { #expect(error.map { stampRefusals.contains($0.code) } == true) }
    }
  }
}
