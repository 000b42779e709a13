import Foundation
import KeychainTesting
import Security
import Testing

/// Tests the order in which traits act, and the errors of one.
@Suite(.given { try Token.save() }) struct TraitOrderTests {
  private let atFirst = Token.read()

  @Test(.lockedPhone, .given(expectLocked))
  func traitsActInTheirOrder() {
    // The suite's trait was first, and the instance was made after the last one.
    #expect(atFirst == errSecInteractionNotAllowed)
  }

  @Test(.given(expectReadable), .lockedPhone)
  func theOtherWayRound() { #expect(atFirst == errSecInteractionNotAllowed) }

  @Test func anErrorOfATraitEndsTheTest() async throws {
    let test = try #require(Test.current)
    await confirmation(expectedCount: 0) { ran in
      _ = await #expect(throws: NSError.self) {
        // A second token is a duplicate.
        try await Self.scope(.given { try Token.save() }, test) { ran() }
      }
    }
    // Control: without an error the body runs.
    await confirmation { ran in
      _ = await #expect(throws: Never.self) { try await Self.scope(.given {}, test) { ran() } }
    }
  }

  private static func scope(
    _ trait: PhoneTrait, _ test: Test, _ body: @Sendable () async throws -> Void
  ) async throws {
    try await trait.provideScope(for: test, testCase: nil, performing: body)
  }
}

private func expectLocked() { #expect(Token.read() == errSecInteractionNotAllowed) }
private func expectReadable() { #expect(Token.read() == errSecSuccess) }
