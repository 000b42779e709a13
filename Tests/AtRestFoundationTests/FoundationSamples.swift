import AtRestFoundation
import Testing

/// The sample of docs/Files.md for Foundation's calls. Between the marks is what the page shows.
@Suite struct FoundationSamples {
  @Test func keepFoundationsCalls() throws {
    let place = try Place()
    try place.run {
      let (secret, url) = (Place.secret, place.url)
      // sample: keep the calls of Foundation
      try secret.write(to: url, options: [.atomic, .completeFileProtection])
      let data = try Data(contentsOf: url)  // AtRestError .locked while the store is locked
      // sample: end
      #expect(data == secret)
    }
    try #expect(!place.showsSecret())
  }
}
