import type { Language } from '@hubline/locales/languages.ts'
import type { Sentences } from '../../../lib/sentences.ts'

/** What the hub says most to people with a session, in Portuguese; `*` stands for what differs each time. */
export const HUB_SENTENCES: Sentences = {
  'A new secret was created meanwhile. Begin again.': 'Um novo segredo foi criado nesse meio-tempo. Comece de novo.',
  'A paid subscription is active. Cancel it in the billing portal first, then delete the organization.':
    'Há uma assinatura paga ativa. Cancele-a antes no portal de pagamento e depois exclua a organização.',
  'A person may belong to * organizations. Leave one first.':
    'Uma pessoa pode pertencer a * organizações. Saia de uma antes.',
  'A second factor is set up already. Turn it off first.':
    'A verificação em duas etapas já está ativa. Desative-a antes.',
  'Additional connections need another plan: *.': 'Conexões adicionais exigem outro plano: *.',
  'An earlier checkout has just been paid. Read the subscription again.':
    'Um pagamento anterior acabou de ser feito. Recarregue a página.',
  'An export of this organization is running. Begin another one when it has ended.':
    'Já há uma exportação desta organização em andamento. Comece outra quando ela terminar.',
  'An organization may have * active API keys. Revoke one that is no longer used.':
    'Uma organização pode ter * chaves de API ativas. Revogue uma que não seja mais usada.',
  'An organization may have * members and open invitations. Remove or revoke some first.':
    'Uma organização pode ter * membros e convites abertos. Remova ou revogue alguns antes.',
  'Begin to set up a second factor first.': 'Comece ativando a verificação em duas etapas.',
  'Enter the current code of your authenticator app, or a recovery code.':
    'Digite o código atual do aplicativo autenticador, ou um código de recuperação.',
  'Give the URL in full, such as https://example.com/hooks.': 'Informe a URL completa, como https://example.com/hooks.',
  'No account could be created with these details. If you already have one, sign in.':
    'Não foi possível criar uma conta com estes dados. Se você já tem uma, entre.',
  'No second factor is set up.': 'A verificação em duas etapas não está ativa.',
  'Only an owner decides whether every member needs a second factor.':
    'Só titulares decidem se todos os membros precisam da verificação em duas etapas.',
  'Only https URLs are allowed, unless WEBHOOK_ALLOWED_DESTINATIONS lists the host.':
    'Só URLs https são permitidas, a não ser que WEBHOOK_ALLOWED_DESTINATIONS inclua o host.',
  'Only https URLs are allowed.': 'Só URLs https são permitidas.',
  'Only port 443 is allowed, unless WEBHOOK_ALLOWED_DESTINATIONS lists host and port.':
    'Só a porta 443 é permitida, a não ser que WEBHOOK_ALLOWED_DESTINATIONS inclua o host e a porta.',
  'Pay the open invoice in the billing portal first.': 'Pague antes a fatura em aberto no portal de pagamento.',
  'Set up a second factor in your own account first, then require one of every member.':
    'Ative antes a verificação em duas etapas na sua conta, e depois exija-a de todos os membros.',
  'Sign-up is closed here. Ask for an invitation.': 'O cadastro está fechado aqui. Peça um convite.',
  'That plan allows up to * additional connections. Lower their total first.':
    'Esse plano permite até * conexões adicionais. Reduza o total antes.',
  'The URL cannot be read. Give it in full, such as https://example.com/hooks.':
    'Não dá para ler a URL. Informe-a completa, como https://example.com/hooks.',
  'The URL has a space, a control character or a backslash in it.':
    'A URL tem um espaço, um caractere de controle ou uma barra invertida.',
  'The URL has a user name or password in it.': 'A URL tem nome de usuário ou senha.',
  'The URL leads to a link-local or metadata address, which is never allowed.':
    'A URL leva a um endereço local ou de metadados, o que nunca é permitido.',
  'The URL leads to an address that is not public.': 'A URL leva a um endereço que não é público.',
  'The account belongs to no organization. Ask for an invitation.':
    'A conta não pertence a nenhuma organização. Peça um convite.',
  'The code is wrong. Enter the current code of your authenticator app.':
    'O código não confere. Digite o código atual do aplicativo autenticador.',
  'The e-mail or the password is wrong.': 'O e-mail ou a senha não confere.',
  'The host name does not exist.': 'O nome do host não existe.',
  'The host name ends in a dot. Leave the dot out.': 'O nome do host termina com um ponto. Retire o ponto.',
  'The host name is one of a local network. Use a public name.':
    'O nome do host é de uma rede local. Use um nome público.',
  'The host of the URL is not a valid host name.': 'O host da URL não é um nome válido.',
  'The last owner cannot leave or take another role. Make another member an owner first.':
    'A última pessoa titular não pode sair nem mudar de papel. Antes, dê o papel de titular a outro membro.',
  'The limit of an organization for channels is *. Delete one.':
    'O limite de canais de uma organização é *. Exclua um.',
  'The limit of an organization for webhook endpoints is *. Delete one.':
    'O limite de endpoints de webhook de uma organização é *. Exclua um.',
  'The name is not that of the organization.': 'O nome não é o da organização.',
  'The organization * requires a second factor of every member. Leave it, or let an owner change its settings.':
    'A organização * exige a verificação em duas etapas de todos os membros. Saia dela, ou peça a titulares que mudem as configurações.',
  'The setup code is wrong. The hub writes it into its log when it starts.':
    'O código de configuração não confere. O hub o escreve no log ao iniciar.',
  'The time zone is not known.': 'O fuso horário não é conhecido.',
  'This channel was connected before, and takes only the same number again.':
    'Este canal já foi conectado e só aceita o mesmo número.',
  'This needs the role admin or above.': 'Isto exige o papel Administração ou Titular.',
  'This needs the role developer or above.': 'Isto exige o papel Desenvolvimento ou um acima dele.',
  'This needs the role owner or above.': 'Isto exige o papel Titular.',
  'This person is a member already.': 'Esta pessoa já é membro.',
  'Too many requests. Try again in * seconds.': 'Requisições demais. Tente de novo em * segundos.',
  'Your plan allows * channels, and * are in use. Delete one, or buy more.':
    'Seu plano permite * canais, e * estão em uso. Exclua um, ou contrate mais.',
  'Your plan allows * webhook endpoints, and * are in use. Delete one, or buy more.':
    'Seu plano permite * endpoints de webhook, e * estão em uso. Exclua um, ou contrate mais.',
  'Your plan allows * channels, and * are in use. Delete one, or buy more. In the sandbox, create-organization --plan pro makes an organization with more, and BILLING=off starts a hub without plans.':
    'Seu plano permite * canais, e * estão em uso. Exclua um, ou contrate mais. No ambiente de testes, create-organization --plan pro cria uma organização com mais, e BILLING=off inicia um hub sem planos.',
  'Your plan allows * webhook endpoints, and * are in use. Delete one, or buy more. In the sandbox, create-organization --plan pro makes an organization with more, and BILLING=off starts a hub without plans.':
    'Seu plano permite * endpoints de webhook, e * estão em uso. Exclua um, ou contrate mais. No ambiente de testes, create-organization --plan pro cria uma organização com mais, e BILLING=off inicia um hub sem planos.',
  'Your plan allows up to * additional connections. Set a lower total.':
    'Seu plano permite até * conexões adicionais. Escolha um total menor.',
  'Your role does not allow this for a member of that role.':
    'Seu papel não permite isto para um membro com esse papel.',
  'Your subscription has ended. Request a new checkout.': 'Sua assinatura terminou. Escolha um plano de novo.',
}

/** What is wrong with one field, as the validation of the hub says it, for the person who fills it in. */
export const FIELD_SENTENCES: Record<Exclude<Language, 'es'>, Sentences> = {
  en: {
    'is required': 'Fill in this field.',
    'must be a complete URL': 'Enter a complete URL.',
    'must be a text in one line that is not blank': 'Write in one line, without invisible characters.',
    'must be an e-mail address': 'Enter a whole e-mail address, such as ana@example.com.',
    'must be in the future': 'Choose a date in the future.',
    'must have at least * character': 'Use at least * character.',
    'must have at least * characters': 'Use at least * characters.',
    'must have at most * characters': 'Use at most * characters.',
  },
  'pt-BR': {
    'is required': 'Preencha este campo.',
    'must be a complete URL': 'Informe uma URL completa.',
    'must be a text in one line that is not blank': 'Escreva em uma linha, sem caracteres invisíveis.',
    'must be an e-mail address': 'Informe um e-mail completo, como ana@example.com.',
    'must be in the future': 'Escolha uma data futura.',
    'must have at least * character': 'Use pelo menos * caractere.',
    'must have at least * characters': 'Use pelo menos * caracteres.',
    'must have at most * characters': 'Use no máximo * caracteres.',
  },
}
