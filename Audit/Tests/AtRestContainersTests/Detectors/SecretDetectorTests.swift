import AtRestContainers
import Testing

@Suite struct SecretDetectorTests {
  private func found(_ text: String, name: String? = nil) -> [Detection] {
    SecretDetector().detections(in: Item(Locator("a"), name: name, .text(text)))
  }

  @Test func aDetectionSaysWhereAndHowSure() throws {
    let detection = try #require(found("mail jo.doe@mail.example now").first)
    #expect(detection.kind == .email)
    #expect(detection.range == 5..<24)
    #expect(detection.confidence == .likely)
    #expect(detection.excerpt == "jo…le")
  }

  @Test func aShortSecretIsNotShownAtAll() {
    #expect(found("4821", name: "pinCode").map(\.excerpt) == ["…"])
  }

  @Test func aWebTokenShowsItsClaimsAndNotItsSignature() throws {
    let token =
      "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJtZSIsInN1YiI6InUxIiwiZXhwIjoxNzAwMDAwMDAwfQ.c2lnbmF0dXJl"
    let detection = try #require(found(token).first)
    #expect(detection.kind == .webToken && detection.confidence == .certain)
    #expect(detection.note == "alg HS256, iss me, sub u1, exp 2023-11-14T22:13:20Z")
    #expect(!detection.description.contains("c2lnbmF0dXJl"))
  }

  @Test func severalAreFoundInOneText() {
    let text = #"{"password":"hunter2!","email":"jo@mail.example","card":"4111-1111-1111-1111"}"#
    #expect(found(text).map(\.kind) == [.password, .email, .cardNumber])
  }

  @Test func aCardWithoutContextIsOnlyPossible() {
    #expect(found("4111111111111111").map(\.confidence) == [.possible])
    #expect(found("4111 1111 1111 1111").map(\.confidence) == [.certain])
    #expect(found("4111111111111111", name: "cardNumber").map(\.confidence) == [.certain])
    #expect(found("4111111111111111", name: "id").isEmpty)
  }

  @Test func anEncryptedPrivateKeyIsLessCertain() {
    let body = String(repeating: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", count: 4)
    func key(_ label: String) -> String {
      "-----BEGIN \(label)-----\n\(body)-----END \(label)-----"
    }
    #expect(found(key("PRIVATE KEY")).map(\.confidence) == [.certain])
    #expect(found(key("ENCRYPTED PRIVATE KEY")).map(\.confidence) == [.likely])
  }

  @Test func privateKeysInDERAreTold() {
    let head: [UInt8] = [0x30, 46, 0x02, 0x01, 0x00, 0x30, 0x05]
    let bytes = head + [UInt8](repeating: 9, count: 48 - head.count)
    #expect(SecretDetector().detections(in: bytes).map(\.note) == ["pkcs#8"])
    #expect(SecretDetector().detections(in: bytes.dropLast() + [1, 2]).isEmpty)
  }

  @Test func keysOfBinaryDataAreToldByTheirName() {
    let bytes = (0..<32).map { UInt8($0 * 7 & 0xFF) }
    #expect(
      SecretDetector().detections(in: bytes, name: "encryptionKey").map(\.kind) == [.privateKey])
    #expect(SecretDetector().detections(in: bytes, name: "thumbnail").isEmpty)
  }
}
