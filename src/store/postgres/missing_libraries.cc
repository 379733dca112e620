// What the static libpq wants of libraries that a user's machine may lack: Kerberos (GSSAPI) for
// logging in, LDAP for looking up services. They are opened when they are needed first; where they
// are not, each function says so in its own way and libpq goes on to the next method.
#include <dlfcn.h>
#include <gssapi/gssapi.h>

#include <cstdint>
#include <initializer_list>

namespace {

void* OpenFirst(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

void* Gss() {
  static void* const library = OpenFirst({"libgssapi_krb5.so.2"});
  return library;
}

void* Ldap() {
  static void* const library =
      OpenFirst({"libldap-2.5.so.0", "libldap.so.2", "libldap_r-2.4.so.2", "libldap-2.4.so.2"});
  return library;
}

/// Calls `name` of a library with the arguments, or answers `otherwise`.
template <class Return, class... Arguments>
Return Call(void* library, const char* name, Return otherwise, Arguments... arguments) {
  using Function = Return (*)(Arguments...);
  const auto function = library ? reinterpret_cast<Function>(::dlsym(library, name)) : nullptr;
  return function ? function(arguments...) : otherwise;
}

gss_OID_desc hostbased_service = {10,
                                  const_cast<char*>("\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04")};

constexpr OM_uint32 kNoMechanism = GSS_S_UNAVAILABLE;
constexpr int kLdapUnavailable = 0x34;

}  // namespace

extern "C" {

gss_OID GSS_C_NT_HOSTBASED_SERVICE = &hostbased_service;

OM_uint32 gss_acquire_cred(OM_uint32* minor, gss_name_t name, OM_uint32 time, gss_OID_set mechs,
                           gss_cred_usage_t usage, gss_cred_id_t* handle, gss_OID_set* actual,
                           OM_uint32* rest) {
  *minor = 0;
  return Call(Gss(), "gss_acquire_cred", kNoMechanism, minor, name, time, mechs, usage, handle,
              actual, rest);
}

OM_uint32 gss_release_cred(OM_uint32* minor, gss_cred_id_t* handle) {
  return Call(Gss(), "gss_release_cred", kNoMechanism, minor, handle);
}

OM_uint32 gss_import_name(OM_uint32* minor, gss_buffer_t text, gss_OID type, gss_name_t* name) {
  *minor = 0;
  return Call(Gss(), "gss_import_name", kNoMechanism, minor, text, type, name);
}

OM_uint32 gss_release_name(OM_uint32* minor, gss_name_t* name) {
  return Call(Gss(), "gss_release_name", kNoMechanism, minor, name);
}

OM_uint32 gss_init_sec_context(OM_uint32* minor, gss_cred_id_t credentials, gss_ctx_id_t* context,
                               gss_name_t name, gss_OID mechanism, OM_uint32 flags, OM_uint32 time,
                               gss_channel_bindings_t bindings, gss_buffer_t input,
                               gss_OID* actual_mechanism, gss_buffer_t output,
                               OM_uint32* actual_flags, OM_uint32* actual_time) {
  *minor = 0;
  return Call(Gss(), "gss_init_sec_context", kNoMechanism, minor, credentials, context, name,
              mechanism, flags, time, bindings, input, actual_mechanism, output, actual_flags,
              actual_time);
}

OM_uint32 gss_delete_sec_context(OM_uint32* minor, gss_ctx_id_t* context, gss_buffer_t output) {
  return Call(Gss(), "gss_delete_sec_context", kNoMechanism, minor, context, output);
}

OM_uint32 gss_release_buffer(OM_uint32* minor, gss_buffer_t buffer) {
  return Call(Gss(), "gss_release_buffer", kNoMechanism, minor, buffer);
}

/// Libpq prints what it gets, so there is a text also where no library can make one.
OM_uint32 gss_display_status(OM_uint32* minor, OM_uint32 status, int type, gss_OID mechanism,
                             OM_uint32* message_context, gss_buffer_t text) {
  if (Gss() != nullptr)
    return Call(Gss(), "gss_display_status", kNoMechanism, minor, status, type, mechanism,
                message_context, text);
  static char words[] = "Kerberos is not available on this machine";
  *message_context = 0;
  text->value = words;
  text->length = sizeof(words) - 1;
  return GSS_S_COMPLETE;
}

OM_uint32 gss_wrap(OM_uint32* minor, gss_ctx_id_t context, int conf, gss_qop_t qop,
                   gss_buffer_t input, int* conf_state, gss_buffer_t output) {
  return Call(Gss(), "gss_wrap", kNoMechanism, minor, context, conf, qop, input, conf_state,
              output);
}

OM_uint32 gss_unwrap(OM_uint32* minor, gss_ctx_id_t context, gss_buffer_t input,
                     gss_buffer_t output, int* conf_state, gss_qop_t* qop_state) {
  return Call(Gss(), "gss_unwrap", kNoMechanism, minor, context, input, output, conf_state,
              qop_state);
}

OM_uint32 gss_wrap_size_limit(OM_uint32* minor, gss_ctx_id_t context, int conf, gss_qop_t qop,
                              OM_uint32 output_size, OM_uint32* max_input_size) {
  return Call(Gss(), "gss_wrap_size_limit", kNoMechanism, minor, context, conf, qop, output_size,
              max_input_size);
}

// LDAP: its handles are pointers that nobody here looks into.

void* ldap_init(const char* host, int port) {
  return Call<void*>(Ldap(), "ldap_init", nullptr, host, port);
}

int ldap_set_option(void* ldap, int option, const void* value) {
  return Call(Ldap(), "ldap_set_option", kLdapUnavailable, ldap, option, value);
}

int ldap_simple_bind(void* ldap, const char* who, const char* password) {
  return Call(Ldap(), "ldap_simple_bind", -1, ldap, who, password);
}

int ldap_result(void* ldap, int message, int all, void* timeout, void** result) {
  return Call(Ldap(), "ldap_result", -1, ldap, message, all, timeout, result);
}

int ldap_search_st(void* ldap, const char* base, int scope, const char* filter, char** attributes,
                   int types_only, void* timeout, void** result) {
  return Call(Ldap(), "ldap_search_st", kLdapUnavailable, ldap, base, scope, filter, attributes,
              types_only, timeout, result);
}

int ldap_count_entries(void* ldap, void* result) {
  return Call(Ldap(), "ldap_count_entries", -1, ldap, result);
}

void* ldap_first_entry(void* ldap, void* result) {
  return Call<void*>(Ldap(), "ldap_first_entry", nullptr, ldap, result);
}

void* ldap_get_values_len(void* ldap, void* entry, const char* attribute) {
  return Call<void*>(Ldap(), "ldap_get_values_len", nullptr, ldap, entry, attribute);
}

void ldap_value_free_len(void* values) {
  using Function = void (*)(void*);
  if (auto function =
          Ldap() ? reinterpret_cast<Function>(::dlsym(Ldap(), "ldap_value_free_len")) : nullptr)
    function(values);
}

int ldap_msgfree(void* message) { return Call(Ldap(), "ldap_msgfree", -1, message); }

int ldap_unbind(void* ldap) { return Call(Ldap(), "ldap_unbind", -1, ldap); }

char* ldap_err2string(int error) {
  static char words[] = "LDAP is not available on this machine";
  return Call<char*>(Ldap(), "ldap_err2string", words, error);
}

}  // extern "C"
