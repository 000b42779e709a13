/// The program's version, as reports name it.
public enum AuditVersion {
  public static let current = "0.1.0"
}
