import AtRestCrypto
import CommonCrypto

@_cdecl("CCRandomGenerateBytes") func randomBytes(
  _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> CCRNGStatus {
  guard count > 0 else { return CCRNGStatus(kCCSuccess) }
  guard let bytes else { return CCRNGStatus(kCCParamError) }
  RandomBytes.fill(UnsafeMutableRawBufferPointer(start: bytes, count: count))
  return CCRNGStatus(kCCSuccess)
}
