-- Owner: domains/organizations. Rows before it have one of the other two languages, so none is read. A process of the version
-- before reads such an organization's language as it is, and has no texts for it: let every process have this version before an
-- organization chooses Spanish.
alter table organizations
  drop constraint organizations_language_check,
  add constraint organizations_language_check check (language in ('en', 'pt-BR', 'es')) not valid;
