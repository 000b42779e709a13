import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A store that is opened while another thread or process creates it is missing or whole.
@Suite struct OpeningBesideCreationTests {
  private let folder = TemporaryFolder()

  private func location(_ round: Int) -> StoreLocation {
    StoreLocation(store: folder.path("\(round)/store"), device: folder.path("\(round)/device"))
  }

  @Test(arguments: 0..<20) func isMissingOrWhole(_ round: Int) async throws {
    let location = location(round)
    try await withThrowingTaskGroup(of: Set<AtRestError.Code>.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var refusals: Set<AtRestError.Code> = []
          while !Task.isCancelled {
            guard let code = refusal({ try location.openKeybag() }) else { break }
            refusals.insert(code)
          }
          return refusals
        }
      }
      let identity = try Keybag.create(
        at: location.store, device: location.makeDevice(), options: .init(kdf: .forTesting)
      ).identity
      #expect(try location.openKeybag().identity == identity)
      for try await refusals in group { #expect(refusals.isSubset(of: [.notFound])) }
    }
  }

  @Test(arguments: 0..<20) func oneOfManyCreatesIt(_ round: Int) async throws {
    let location = location(round)
    let identities = try await withThrowingTaskGroup(of: StoreIdentity.self) { group in
      for _ in 0..<4 { group.addTask { try location.openOrMakeKeybag().identity } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(identities.count == 1)
  }
}
