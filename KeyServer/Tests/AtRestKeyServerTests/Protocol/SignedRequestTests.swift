import AtRestKeyServerProtocol
import Crypto
import Foundation
import Testing

@Suite struct SignedRequestTests {
  @Test func `Every part of a request is signed`() throws {
    let key = P256.Signing.PrivateKey()
    let publicKey = key.publicKey.x963Representation
    let request = SignedRequest(
      realm: Data(count: 16), device: Data(repeating: 1, count: 16), sequence: 7, path: "/v1/keys",
      body: Data("body".utf8))
    let signature = try key.signature(for: request.signedBytes).rawRepresentation
    #expect(request.isValid(signature, publicKey: publicKey))

    let changes: [(inout SignedRequest) -> Void] = [
      { $0.realm = Data(repeating: 2, count: 16) }, { $0.device = Data(count: 16) },
      { $0.sequence = 8 }, { $0.path = "/v1/key" }, { $0.body = Data("Body".utf8) },
    ]
    for change in changes {
      var changed = request
      change(&changed)
      #expect(!changed.isValid(signature, publicKey: publicKey))
    }
    #expect(
      !request.isValid(signature, publicKey: P256.Signing.PrivateKey().publicKey.x963Representation)
    )
    #expect(!request.isValid(Data(count: 64), publicKey: publicKey))
    #expect(!request.isValid(signature, publicKey: Data(count: 65)))
  }
}
